import { type FunctionType, type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";

const { i32, i64, f32, f64, funcref, exnref } = ValueTypes;

export type NumberType = typeof i32 | typeof i64 | typeof f32 | typeof f64;
export const NUMBER_TYPES: readonly NumberType[] = [i32, i64, f32, f64];

function type(params: readonly ValueType[], results: readonly ValueType[]): FunctionType {
  return { params, results };
}

/** What all programs have alike, so that the interest is in their code. */
export const HOST_TYPE = type([i32], [i32]);
export const FUNCTION_TYPES: readonly FunctionType[] = [
  type([i32], [i32]),
  type([], []),
  type([i64, f64], [f64]),
  type([i32, i64], [i64, i32]),
  type([f32], [f32, i32, f64]),
];
export const BLOCK_TYPES: readonly FunctionType[] = [
  type([], []),
  type([], [i32]),
  type([], [f64]),
  type([], [i64, i32]),
  type([i32], []),
  type([i32], [i32]),
  type([i64, i32], [i32, f32]),
];
/** The types of the values that an exception of each tag carries. */
export const TAG_TYPES: readonly FunctionType[] = [type([], []), type([i32], []), type([f64, i64], [])];
/** Of blocks that the clauses of a `try_table` lead to, with a reference or without. */
export const CAUGHT_TYPES: readonly FunctionType[] = TAG_TYPES.flatMap(({ params }) => [
  type([], params),
  type([], [...params, exnref]),
]);

export const GLOBALS = { i32: 0, i64: 1, f64: 2, turns: 3, depth: 4, stir: 5 } as const;
export const GLOBAL_TYPES: readonly NumberType[] = [i32, i64, f64, i32, i32, i32];

/** Locals that every function has after its parameters. */
export const LOCAL_TYPES: readonly ValueType[] = [i32, i64, f32, f64, i32, funcref];

export const FUNCTIONS = 5;
export const TABLE_ELEMENTS = 10;
export const MEMORY_PAGES = 1;
export const DATA_BYTES = 40;
export const SEGMENT_ELEMENTS = 4;
