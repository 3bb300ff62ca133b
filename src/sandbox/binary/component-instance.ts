import type { Cursor } from "./component-cursor.js";
import type { NamedItem } from "./component-definition.js";
import { addExtern, type Item, type Sort } from "./component-scope.js";
import type { Component, ComponentType, Extern, Instantiations, ModuleSection } from "./component-types.js";
import { overLimit } from "./over-limit.js";
import { featureRefused, malformed } from "./refusal.js";

/** What a component instantiates, counted while it is read. */
export class InstantiationCount implements Instantiations {
  components = 0;
  coreInstances = 0;
  readonly modules = new Map<ModuleSection, number>();

  addModule(module: ModuleSection, times = 1): void {
    this.modules.set(module, (this.modules.get(module) ?? 0) + times);
  }

  addComponent(inner: Instantiations): void {
    this.components += 1 + inner.components;
    this.coreInstances += inner.coreInstances;
    for (const [module, times] of inner.modules) this.addModule(module, times);
  }

  /** After each addition: instances of what has instances itself are many before the file is large. */
  check({ file: { limits }, reader: { position } }: Cursor): void {
    if (this.components > limits.componentInstances) {
      const what = "instances of components";
      throw overLimit("componentInstances", what, this.components, limits.componentInstances, position);
    }
    if (this.coreInstances > limits.coreInstances) {
      throw overLimit("coreInstances", "core instances", this.coreInstances, limits.coreInstances, position);
    }
  }
}

/** Reads one core instance: a module instantiated, or a bag of exports. */
export function readCoreInstance(cursor: Cursor, count: InstantiationCount): void {
  const { scope } = cursor;
  const offset = cursor.reader.position;
  const form = cursor.choice("a form of core instance", { 0: "instantiate", 1: "exports" });
  if (form === "instantiate") {
    const module = cursor.index("core module");
    count.addModule(scope.get("core module", module, offset));
    const args = cursor.vector(() => {
      return cursor.namedItem(() => cursor.choice("the sort of a core argument", { 18: "core instance" }));
    });
    scope.define({ kind: "core instantiate", offset, module, args });
  } else {
    const items = cursor.vector(() => cursor.namedItem(() => cursor.coreExportSort()));
    scope.define({ kind: "core exports", offset, items });
  }
  count.coreInstances++;
  count.check(cursor);
  scope.add("core instance", undefined);
}

/** Reads one instance: a component instantiated, or a bag of exports. */
export function readInstance(cursor: Cursor, count: InstantiationCount): void {
  const { scope } = cursor;
  const start = cursor.reader.position;
  const form = cursor.choice("a form of instance", { 0: "instantiate", 1: "exports" });
  if (form === "instantiate") {
    const offset = cursor.reader.position;
    const index = cursor.index("component");
    const component = scope.get("component", index, offset);
    if (!isDefined(component)) throw malformed(offset, "a component that is only declared is instantiated");
    count.addComponent(component.instantiates);
    count.check(cursor);
    const args = cursor.vector(() => cursor.namedItem(() => cursor.sort()));
    scope.define({ kind: "instantiate", offset: start, component: index, args });
    scope.add("instance", { kind: "instance", exports: component.exports });
    return;
  }
  const exports = new Map<string, Extern>();
  const items = cursor.vector(() => {
    const offset = cursor.reader.position;
    const { extern, item } = readItemExtern(cursor, cursor.externName(), offset);
    addExtern(exports, extern);
    return item;
  });
  scope.define({ kind: "exports", offset: start, items });
  scope.add("instance", { kind: "instance", exports });
}

function isDefined(component: ComponentType): component is Component {
  return "instantiates" in component;
}

/** Reads the sort and the index of an item, and gives it a name. */
export function readItemExtern(
  cursor: Cursor,
  name: string,
  nameOffset: number,
): { extern: Extern; item: NamedItem } {
  const offset = cursor.reader.position;
  const sort = cursor.sort();
  if (sort === "core module") throw featureRefused(offset, "core modules as imports or exports");
  if (!isExternSort(sort)) throw malformed(offset, `a component exports no ${sort}`);
  const start = cursor.reader.position;
  const index = cursor.index(sort);
  const extern = externOf(sort, cursor.scope.get(sort, index, start), name, nameOffset);
  return { extern, item: { name, sort, index } };
}

type ExternSort = Extern["sort"];

function isExternSort(sort: Sort): sort is ExternSort {
  return sort === "func" || sort === "type" || sort === "component" || sort === "instance";
}

function externOf<S extends ExternSort>(sort: S, type: Item<S>, name: string, offset: number): Extern {
  // The two halves of the pair belong together by S, which the compiler cannot follow through a union.
  return { name, offset, sort, type } as Extern;
}
