import type { Sort } from "./component-scope.js";
import type { Component, FuncType, ModuleSection } from "./component-types.js";

/** An item by its place in an index space of the component that the definition stands in. */
export interface ItemIndex {
  readonly sort: Sort;
  readonly index: number;
}

export interface NamedItem extends ItemIndex {
  readonly name: string;
}

/** Options of a lifted or lowered function; functions and the memory by their indices. */
export interface CanonOptions {
  readonly encoding?: "utf8" | "utf16";
  readonly memory?: number;
  readonly realloc?: number;
  readonly postReturn?: number;
}

/**
 * One definition of a component, as the file has it: each adds one item to one index space, so that they
 * can be carried out in order for each instance that is made of the component.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md#component-definitions
 */
export type Definition = { readonly offset: number } & (
  | { readonly kind: "core module"; readonly module: ModuleSection }
  | { readonly kind: "core instantiate"; readonly module: number; readonly args: readonly NamedItem[] }
  | { readonly kind: "core exports"; readonly items: readonly NamedItem[] }
  | { readonly kind: "core type" }
  | { readonly kind: "type"; readonly resource?: { readonly dtor: number | undefined } }
  | { readonly kind: "component"; readonly component: Component }
  | { readonly kind: "instantiate"; readonly component: number; readonly args: readonly NamedItem[] }
  | { readonly kind: "exports"; readonly items: readonly NamedItem[] }
  | { readonly kind: "alias export"; readonly sort: Sort; readonly instance: number; readonly name: string }
  | {
      readonly kind: "alias core export";
      readonly sort: Sort;
      readonly instance: number;
      readonly name: string;
    }
  /** `count` is the number of scopes out. */
  | { readonly kind: "alias outer"; readonly sort: Sort; readonly count: number; readonly index: number }
  | { readonly kind: "lift"; readonly func: number; readonly type: FuncType; readonly options: CanonOptions }
  | { readonly kind: "lower"; readonly func: number; readonly options: CanonOptions }
  | { readonly kind: "resource"; readonly operation: "new" | "drop" | "rep"; readonly type: number }
  | { readonly kind: "import"; readonly sort: Sort; readonly name: string }
  | ({ readonly kind: "export" } & NamedItem)
);
