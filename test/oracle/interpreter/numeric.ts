import { fromF32, fromF64, integerToF32, nearest, toF32, toF64 } from "./floats.js";
import { Trap, type Value } from "./values.js";

/** Pure instructions by their name: each takes its operands in order. */
export const numeric = new Map<string, (...operands: never[]) => Value>();

const I64_MIN = -(2n ** 63n);
const s64 = (value: bigint) => BigInt.asIntN(64, value);
const u64 = (value: bigint) => BigInt.asUintN(64, value);

function define(type: string, table: Record<string, (...operands: never[]) => Value>): void {
  for (const [name, work] of Object.entries(table)) numeric.set(`${type}.${name}`, work);
}

function popcnt32(a: number): number {
  let count = 0;
  for (let rest = a >>> 0; rest !== 0; rest >>>= 1) count += rest & 1;
  return count;
}

function ctz32(a: number): number {
  return a === 0 ? 32 : 31 - Math.clz32(a & -a);
}

define("i32", {
  eqz: (a: number) => Number(a === 0),
  eq: (a: number, b: number) => Number(a === b),
  ne: (a: number, b: number) => Number(a !== b),
  lt_s: (a: number, b: number) => Number(a < b),
  lt_u: (a: number, b: number) => Number(a >>> 0 < b >>> 0),
  gt_s: (a: number, b: number) => Number(a > b),
  gt_u: (a: number, b: number) => Number(a >>> 0 > b >>> 0),
  le_s: (a: number, b: number) => Number(a <= b),
  le_u: (a: number, b: number) => Number(a >>> 0 <= b >>> 0),
  ge_s: (a: number, b: number) => Number(a >= b),
  ge_u: (a: number, b: number) => Number(a >>> 0 >= b >>> 0),
  clz: (a: number) => Math.clz32(a),
  ctz: ctz32,
  popcnt: popcnt32,
  add: (a: number, b: number) => (a + b) | 0,
  sub: (a: number, b: number) => (a - b) | 0,
  mul: (a: number, b: number) => Math.imul(a, b),
  div_s: (a: number, b: number) => {
    if (b === 0) throw new Trap("divide by zero");
    if (a === -(2 ** 31) && b === -1) throw new Trap("integer overflow");
    return (a / b) | 0;
  },
  div_u: (a: number, b: number) => {
    if (b === 0) throw new Trap("divide by zero");
    return Math.floor((a >>> 0) / (b >>> 0)) | 0;
  },
  rem_s: (a: number, b: number) => {
    if (b === 0) throw new Trap("divide by zero");
    return (a % b) | 0;
  },
  rem_u: (a: number, b: number) => {
    if (b === 0) throw new Trap("divide by zero");
    return ((a >>> 0) % (b >>> 0)) | 0;
  },
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  xor: (a: number, b: number) => a ^ b,
  shl: (a: number, b: number) => a << b,
  shr_s: (a: number, b: number) => a >> b,
  shr_u: (a: number, b: number) => (a >>> b) | 0,
  rotl: (a: number, b: number) => (a << (b & 31)) | (b & 31 ? a >>> (32 - (b & 31)) : 0),
  rotr: (a: number, b: number) => (b & 31 ? a << (32 - (b & 31)) : 0) | (a >>> (b & 31)) | 0,
  wrap_i64: (a: bigint) => Number(BigInt.asIntN(32, a)),
  extend8_s: (a: number) => (a << 24) >> 24,
  extend16_s: (a: number) => (a << 16) >> 16,
  reinterpret_f32: (a: number) => a,
});

function clz64(a: bigint): bigint {
  return a === 0n ? 64n : BigInt(64 - u64(a).toString(2).length);
}

function ctz64(a: bigint): bigint {
  return a === 0n ? 64n : 63n - clz64(u64(a) & u64(-a));
}

function notZero(b: bigint): bigint {
  if (b === 0n) throw new Trap("divide by zero");
  return b;
}

define("i64", {
  eqz: (a: bigint) => Number(a === 0n),
  eq: (a: bigint, b: bigint) => Number(a === b),
  ne: (a: bigint, b: bigint) => Number(a !== b),
  lt_s: (a: bigint, b: bigint) => Number(a < b),
  lt_u: (a: bigint, b: bigint) => Number(u64(a) < u64(b)),
  gt_s: (a: bigint, b: bigint) => Number(a > b),
  gt_u: (a: bigint, b: bigint) => Number(u64(a) > u64(b)),
  le_s: (a: bigint, b: bigint) => Number(a <= b),
  le_u: (a: bigint, b: bigint) => Number(u64(a) <= u64(b)),
  ge_s: (a: bigint, b: bigint) => Number(a >= b),
  ge_u: (a: bigint, b: bigint) => Number(u64(a) >= u64(b)),
  clz: clz64,
  ctz: ctz64,
  popcnt: (a: bigint) => BigInt(u64(a).toString(2).replaceAll("0", "").length),
  add: (a: bigint, b: bigint) => s64(a + b),
  sub: (a: bigint, b: bigint) => s64(a - b),
  mul: (a: bigint, b: bigint) => s64(a * b),
  div_s: (a: bigint, b: bigint) => {
    if (a === I64_MIN && b === -1n) throw new Trap("integer overflow");
    return a / notZero(b);
  },
  div_u: (a: bigint, b: bigint) => s64(u64(a) / notZero(u64(b))),
  rem_s: (a: bigint, b: bigint) => a % notZero(b),
  rem_u: (a: bigint, b: bigint) => s64(u64(a) % notZero(u64(b))),
  and: (a: bigint, b: bigint) => a & b,
  or: (a: bigint, b: bigint) => a | b,
  xor: (a: bigint, b: bigint) => a ^ b,
  shl: (a: bigint, b: bigint) => s64(a << (b & 63n)),
  shr_s: (a: bigint, b: bigint) => a >> (b & 63n),
  shr_u: (a: bigint, b: bigint) => s64(u64(a) >> (b & 63n)),
  rotl: (a: bigint, b: bigint) => s64((u64(a) << (b & 63n)) | (u64(a) >> (64n - (b & 63n)))),
  rotr: (a: bigint, b: bigint) => s64((u64(a) >> (b & 63n)) | (u64(a) << (64n - (b & 63n)))),
  extend_i32_s: (a: number) => BigInt(a),
  extend_i32_u: (a: number) => BigInt(a >>> 0),
  extend8_s: (a: bigint) => BigInt.asIntN(8, a),
  extend16_s: (a: bigint) => BigInt.asIntN(16, a),
  extend32_s: (a: bigint) => BigInt.asIntN(32, a),
  reinterpret_f64: (a: bigint) => a,
});

/** Rounds towards zero into an integer of so many bits; what does not fit traps, or is the nearest that does. */
function truncate(value: number, bits: number, isSigned: boolean, saturates: boolean): bigint {
  if (Number.isNaN(value)) {
    if (saturates) return 0n;
    throw new Trap("invalid conversion");
  }
  const size = BigInt(bits);
  const least = isSigned ? -(2n ** (size - 1n)) : 0n;
  const most = isSigned ? 2n ** (size - 1n) - 1n : 2n ** size - 1n;
  const whole = Math.trunc(value);
  const isLow = whole < Number(least);
  // The bound itself may not be a float: one more than it is.
  const isHigh = whole >= Number(most + 1n);
  if (!isLow && !isHigh) return BigInt(whole);
  if (!saturates) throw new Trap("invalid conversion");
  return isLow ? least : most;
}

for (const isSigned of [true, false]) {
  const sign = isSigned ? "s" : "u";
  const wide = (a: number) => BigInt(isSigned ? a : a >>> 0);
  const wide64 = (a: bigint) => (isSigned ? a : u64(a));
  for (const [way, saturates] of [
    ["trunc", false],
    ["trunc_sat", true],
  ] as const) {
    const to32 = (value: number) => Number(BigInt.asIntN(32, truncate(value, 32, isSigned, saturates)));
    const to64 = (value: number) => s64(truncate(value, 64, isSigned, saturates));
    define("i32", {
      [`${way}_f32_${sign}`]: (a: number) => to32(fromF32(a)),
      [`${way}_f64_${sign}`]: (a: bigint) => to32(fromF64(a)),
    });
    define("i64", {
      [`${way}_f32_${sign}`]: (a: number) => to64(fromF32(a)),
      [`${way}_f64_${sign}`]: (a: bigint) => to64(fromF64(a)),
    });
  }
  define("f32", {
    [`convert_i32_${sign}`]: (a: number) => toF32(integerToF32(wide(a))),
    [`convert_i64_${sign}`]: (a: bigint) => toF32(integerToF32(wide64(a))),
  });
  define("f64", {
    [`convert_i32_${sign}`]: (a: number) => toF64(Number(wide(a))),
    [`convert_i64_${sign}`]: (a: bigint) => toF64(Number(wide64(a))),
  });
}

const unary: Record<string, (a: number) => number> = {
  ceil: Math.ceil,
  floor: Math.floor,
  trunc: Math.trunc,
  nearest,
  sqrt: Math.sqrt,
};
const binary: Record<string, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
};
const comparison: Record<string, (a: number, b: number) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  gt: (a, b) => a > b,
  le: (a, b) => a <= b,
  ge: (a, b) => a >= b,
};
for (const [name, work] of Object.entries(unary)) {
  numeric.set(`f32.${name}`, (a: number) => toF32(work(fromF32(a))));
  numeric.set(`f64.${name}`, (a: bigint) => toF64(work(fromF64(a))));
}
// An f64 has more than twice the bits of an f32, so rounding its result once more is rounding once.
for (const [name, work] of Object.entries(binary)) {
  numeric.set(`f32.${name}`, (a: number, b: number) => toF32(Math.fround(work(fromF32(a), fromF32(b)))));
  numeric.set(`f64.${name}`, (a: bigint, b: bigint) => toF64(work(fromF64(a), fromF64(b))));
}
for (const [name, work] of Object.entries(comparison)) {
  numeric.set(`f32.${name}`, (a: number, b: number) => Number(work(fromF32(a), fromF32(b))));
  numeric.set(`f64.${name}`, (a: bigint, b: bigint) => Number(work(fromF64(a), fromF64(b))));
}

const SIGN32 = 0x8000_0000 | 0;
define("f32", {
  abs: (a: number) => a & ~SIGN32,
  neg: (a: number) => a ^ SIGN32,
  copysign: (a: number, b: number) => (a & ~SIGN32) | (b & SIGN32),
  demote_f64: (a: bigint) => toF32(Math.fround(fromF64(a))),
  reinterpret_i32: (a: number) => a,
});
define("f64", {
  abs: (a: bigint) => a & ~I64_MIN,
  neg: (a: bigint) => a ^ I64_MIN,
  copysign: (a: bigint, b: bigint) => (a & ~I64_MIN) | (b & I64_MIN),
  promote_f32: (a: number) => toF64(fromF32(a)),
  reinterpret_i64: (a: bigint) => a,
});
