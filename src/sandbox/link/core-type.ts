import type { CoreModule, ExternKind } from "../binary/core-module.js";
import {
  type FunctionType,
  type GlobalType,
  type Limits,
  type MemoryType,
  sameFunction,
  type TableType,
  type ValueType,
  ValueTypes,
} from "../binary/core-types.js";

/** The type of something that a core module imports or exports. */
export type CoreType =
  | { readonly kind: "func" | "tag"; readonly type: FunctionType }
  | { readonly kind: "table"; readonly type: TableType }
  | { readonly kind: "memory"; readonly type: MemoryType }
  | { readonly kind: "global"; readonly type: GlobalType };

/** @param index in the module's index space of that kind */
export function coreTypeOf(module: CoreModule, kind: ExternKind, index: number): CoreType {
  switch (kind) {
    case "func":
      return { kind, type: at(module.types, at(module.functions, index)) };
    case "tag":
      return { kind, type: at(module.types, at(module.tags, index)) };
    case "table":
      return { kind, type: at(module.tables, index) };
    case "memory":
      return { kind, type: at(module.memories, index) };
    case "global":
      return { kind, type: at(module.globals, index) };
  }
}

/** The reader has checked every index. */
function at<T>(space: readonly T[], index: number): T {
  const item = space[index];
  if (item === undefined) throw new RangeError(`there is nothing at index ${index}`);
  return item;
}

/** A type of functions whose parameters and results are all `i32`: all that the `hook` world comes to. */
export function i32s(params: number, results: number): CoreType {
  const of = (count: number): ValueType[] => new Array(count).fill(ValueTypes.i32);
  return { kind: "func", type: { params: of(params), results: of(results) } };
}

/**
 * Whether what is `given` can stand for an import of type `wanted`.
 * https://webassembly.github.io/spec/core/valid/matching.html
 */
export function fits(wanted: CoreType, given: CoreType): boolean {
  switch (wanted.kind) {
    case "func":
    case "tag":
      return given.kind === wanted.kind && sameFunction(wanted.type, given.type);
    case "table":
      return (
        given.kind === "table" &&
        given.type.element === wanted.type.element &&
        within(wanted.type, given.type)
      );
    case "memory":
      return given.kind === "memory" && within(wanted.type, given.type);
    case "global":
      return (
        given.kind === "global" &&
        given.type.type === wanted.type.type &&
        given.type.mutable === wanted.type.mutable
      );
  }
}

function within(wanted: Limits, given: Limits): boolean {
  if (given.min < wanted.min) return false;
  return wanted.max === undefined || (given.max !== undefined && given.max <= wanted.max);
}

const NUMBERS: ReadonlySet<ValueType> = new Set([
  ValueTypes.i32,
  ValueTypes.i64,
  ValueTypes.f32,
  ValueTypes.f64,
]);

/**
 * Whether a function has the types that lowered functions have, and no others. Of others some cannot cross to a function
 * of the host: the engine throws before that is called, which a guest can catch.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#flattening
 */
export function isOfNumbers({ params, results }: FunctionType): boolean {
  return [...params, ...results].every((type) => NUMBERS.has(type));
}
