import type { Cursor } from "./component-cursor.js";
import { addExtern, type Item, type Sort } from "./component-scope.js";
import type { Component, ComponentType, Extern, Instantiations, ModuleSection } from "./component-types.js";
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
}

/** Reads one core instance: a module instantiated, or a bag of exports. */
export function readCoreInstance(cursor: Cursor, count: InstantiationCount): void {
  const form = cursor.choice("a form of core instance", { 0: "instantiate", 1: "exports" });
  if (form === "instantiate") {
    count.addModule(cursor.item("core module"));
    cursor.vector(() => {
      cursor.name();
      cursor.choice("the sort of a core argument", { 18: true });
      cursor.item("core instance");
    });
  } else {
    cursor.vector(() => {
      cursor.name();
      cursor.item(cursor.coreSort());
    });
  }
  count.coreInstances++;
  cursor.scope.add("core instance", undefined);
}

/** Reads one instance: a component instantiated, or a bag of exports. */
export function readInstance(cursor: Cursor, count: InstantiationCount): void {
  const form = cursor.choice("a form of instance", { 0: "instantiate", 1: "exports" });
  if (form === "instantiate") {
    const offset = cursor.reader.position;
    const component = cursor.item("component");
    if (!isDefined(component)) throw malformed(offset, "a component that is only declared is instantiated");
    count.addComponent(component.instantiates);
    cursor.vector(() => {
      cursor.name();
      cursor.item(cursor.sort());
    });
    cursor.scope.add("instance", { kind: "instance", exports: component.exports });
    return;
  }
  const exports = new Map<string, Extern>();
  cursor.vector(() => {
    const offset = cursor.reader.position;
    addExtern(exports, readItemExtern(cursor, cursor.externName(), offset));
  });
  cursor.scope.add("instance", { kind: "instance", exports });
}

function isDefined(component: ComponentType): component is Component {
  return "instantiates" in component;
}

/** Reads the sort and the index of an item, and gives it a name. */
export function readItemExtern(cursor: Cursor, name: string, nameOffset: number): Extern {
  const offset = cursor.reader.position;
  const sort = cursor.sort();
  if (sort === "core module") throw featureRefused(offset, "core modules as imports or exports");
  if (!isExternSort(sort)) throw malformed(offset, `a component exports no ${sort}`);
  return externOf(sort, cursor.item(sort), name, nameOffset);
}

type ExternSort = Extern["sort"];

function isExternSort(sort: Sort): sort is ExternSort {
  return sort === "func" || sort === "type" || sort === "component" || sort === "instance";
}

function externOf<S extends ExternSort>(sort: S, type: Item<S>, name: string, offset: number): Extern {
  // The two halves of the pair belong together by S, which the compiler cannot follow through a union.
  return { name, offset, sort, type } as Extern;
}
