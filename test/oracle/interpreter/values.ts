import { type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";
import type { Func } from "./store.js";

/** What a program carries when it raises an exception; as a value, an `exnref`. */
export class Thrown {
  readonly tag: object;
  readonly values: readonly Value[];

  constructor(tag: object, values: readonly Value[]) {
    this.tag = tag;
    this.values = values;
  }
}

/** A reference of the host's. */
export interface HostReference {
  readonly host: unknown;
}

export type Reference = Func | Thrown | HostReference | null;

/**
 * i32 and the bits of an f32 are a number, signed; i64 and the bits of an f64 are a bigint, signed. So no NaN
 * is ever lost in a number of JavaScript's, and reinterpretation has nothing to do.
 */
export type Value = number | bigint | Reference;

export type TrapKind =
  | "unreachable"
  | "divide by zero"
  | "integer overflow"
  | "invalid conversion"
  | "memory out of bounds"
  | "table out of bounds"
  | "null function"
  | "signature mismatch"
  | "null exception";

export class Trap extends Error {
  readonly kind: TrapKind;

  constructor(kind: TrapKind) {
    super(kind);
    this.kind = kind;
  }
}

/** The cost of what was executed has come to more than was allowed. */
export class OutOfFuel extends Error {}

/** Something that this interpreter leaves out. */
export class Unsupported extends Error {}

export function zero(type: ValueType): Value {
  switch (type) {
    case ValueTypes.i32:
    case ValueTypes.f32:
      return 0;
    case ValueTypes.i64:
    case ValueTypes.f64:
      return 0n;
    case ValueTypes.v128:
      throw new Unsupported("SIMD");
    default:
      return null;
  }
}
