import type { Definition } from "./component-definition.js";
import type {
  ComponentType,
  ComponentTypeDef,
  Extern,
  FuncType,
  InstanceType,
  ModuleSection,
} from "./component-types.js";
import { malformed } from "./refusal.js";

/** What each index space holds. Of core items other than modules only their number matters. */
interface Items {
  "core func": undefined;
  "core table": undefined;
  "core memory": undefined;
  "core global": undefined;
  "core tag": undefined;
  "core type": undefined;
  "core instance": undefined;
  "core module": ModuleSection;
  func: FuncType;
  type: ComponentTypeDef;
  component: ComponentType;
  instance: InstanceType;
}

export type Sort = keyof Items;
export type Item<S extends Sort> = Items[S];

/** The index spaces of one component, component type or instance type, filled as it is read. */
export class Scope {
  readonly kind: "component" | "type";
  /** What fills the index spaces, in order; of types that are declared inside of types nothing is kept. */
  readonly definitions: Definition[] = [];
  private readonly parent: Scope | undefined;
  private readonly spaces: { [S in Sort]: Items[S][] } = {
    "core func": [],
    "core table": [],
    "core memory": [],
    "core global": [],
    "core tag": [],
    "core type": [],
    "core instance": [],
    "core module": [],
    func: [],
    type: [],
    component: [],
    instance: [],
  };

  constructor(kind: "component" | "type", parent?: Scope) {
    this.kind = kind;
    this.parent = parent;
  }

  add<S extends Sort>(sort: S, item: Items[S]): void {
    this.spaces[sort].push(item);
  }

  define(definition: Definition): void {
    if (this.kind === "component") this.definitions.push(definition);
  }

  /** Adds what an import, an export or an alias of an instance's export brings in. */
  addExtern(extern: Extern): void {
    this.add(extern.sort, extern.type);
  }

  /** @param offset where the index stands in the file, for the error */
  get<S extends Sort>(sort: S, index: number, offset: number): Items[S] {
    const space: Items[S][] = this.spaces[sort];
    if (index >= space.length) throw malformed(offset, `there is no ${sort} ${index}`);
    return space[index] as Items[S];
  }

  /** The scope that is `count` scopes out, this one being 0. */
  outer(count: number, offset: number): Scope {
    let scope: Scope | undefined = this;
    for (let i = 0; i < count && scope !== undefined; i++) scope = scope.parent;
    if (scope === undefined) throw malformed(offset, `there are no ${count} scopes around this alias`);
    return scope;
  }
}

/** @throws `module-refused` where the name is taken */
export function addExtern(externs: Map<string, Extern>, extern: Extern): void {
  if (externs.has(extern.name)) throw malformed(extern.offset, "this name is imported or exported twice");
  externs.set(extern.name, extern);
}
