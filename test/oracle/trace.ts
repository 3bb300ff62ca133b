import type { FunctionType, ValueType } from "#src/sandbox/binary/core-types";
import { ValueTypes } from "#src/sandbox/binary/core-types";
import { fromF32, fromF64, toF32, toF64 } from "./interpreter/floats.js";
import type { Value } from "./interpreter/values.js";
import type { Program } from "./programs/program.js";

/** One call of an export, or the start of the module. */
export interface CallTrace {
  readonly name: string;
  readonly outcome: "returned" | "exception" | "exhausted" | `trap: ${string}`;
  /** as text; of a NaN nothing but that it is one */
  readonly results: readonly string[];
  /** of this and all before it */
  readonly fuel: number;
}

export interface Trace {
  readonly calls: readonly CallTrace[];
  /** what the host was called with, and the fuel that was used by then */
  readonly log: readonly { readonly value: number; readonly fuel: number }[];
  readonly memory: Uint8Array;
  readonly globals: readonly string[];
}

/** What the host answers. */
export function answer(value: number): number {
  return (Math.imul(value, 3) + 1) | 0;
}

const ARGUMENTS: Readonly<Record<number, readonly Value[]>> = {
  [ValueTypes.i32]: [7, 0, -3],
  [ValueTypes.i64]: [5n, -1n, 2n ** 40n],
  [ValueTypes.f32]: [toF32(0.5), toF32(-3), toF32(1e9)],
  [ValueTypes.f64]: [toF64(-1.25), toF64(0), toF64(1e300)],
};

/** The calls that a program is run with: its first export three times, the others once. */
export function callsOf({ functions }: Program): { name: string; type: FunctionType; args: Value[] }[] {
  const [first] = functions;
  const calls = [...(first ? [first, first] : []), ...functions];
  return calls.map(({ name, type }, i) => ({
    name,
    type,
    args: type.params.map((param) => ARGUMENTS[param]?.[i % 3] ?? 0),
  }));
}

export function describeValue(type: ValueType, value: Value): string {
  if (type === ValueTypes.f32 && Number.isNaN(fromF32(value as number))) return "NaN";
  if (type === ValueTypes.f64 && Number.isNaN(fromF64(value as bigint))) return "NaN";
  return String(value);
}

/** A value as JavaScript hands it to an engine. */
export function toEngine(type: ValueType, value: Value): number | bigint {
  if (type === ValueTypes.f32) return fromF32(value as number);
  if (type === ValueTypes.f64) return fromF64(value as bigint);
  return value as number | bigint;
}

export function fromEngine(type: ValueType, value: unknown): Value {
  if (type === ValueTypes.f32) return toF32(value as number);
  if (type === ValueTypes.f64) return toF64(value as number);
  return value as Value;
}
