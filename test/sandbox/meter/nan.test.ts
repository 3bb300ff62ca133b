import { describe, expect, test } from "vitest";
import { meteredFunctions, TestTank } from "../../support/metered.js";

const F32 = 0x7fc0_0000;
const F64 = 0x7ff8_0000_0000_0000n;
/** NaNs with a sign and a payload, a signalling one among them, and what makes a NaN of other numbers. */
const F32_BITS = [0xffc0_0001, 0x7fa0_0000, 0xff80_0000, 0x7f80_0000, 0, 0x8000_0000, 0xbf80_0000];
const F64_BITS = [
  0xfff8_0000_0000_0001n,
  0x7ff4_0000_0000_0000n,
  0xfff0_0000_0000_0000n,
  0x7ff0_0000_0000_0000n,
  0n,
  0x8000_0000_0000_0000n,
  0xbff0_0000_0000_0000n,
];
const BINARY = ["add", "sub", "mul", "div", "min", "max"];
const UNARY = ["sqrt", "ceil", "floor", "trunc", "nearest"];

const isNan32 = (bits: number) => (bits & 0x7fff_ffff) > 0x7f80_0000;
const isNan64 = (bits: bigint) => (bits & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n;

type Bits = (a: number | bigint, b: number | bigint) => number | bigint;

async function bitsOf(fields: string): Promise<Bits> {
  const { f } = await meteredFunctions(`(module (memory 1) ${fields})`, new TestTank());
  return f as Bits;
}

const f32 = (i: number) => `(f32.reinterpret_i32 (local.get ${i}))`;
const f64 = (i: number) => `(f64.reinterpret_i64 (local.get ${i}))`;

/** A loop of one turn that adds the arguments to a local. */
const sum = (local: string, more = "") => `(loop
  (local.set ${local} (f64.add (local.get ${local}) (f64.add (f64.const 1) (f64.const nan:0x8000000000001)))) ${more}
  (br_if 0 (i32.const 0)))`;

describe("the bits of a NaN are canonical where arithmetic gave it", () => {
  test.each([
    ...BINARY.map((name) => `f32.${name} ${f32(0)} ${f32(1)}`),
    ...UNARY.map((name) => `f32.${name} ${f32(0)}`),
  ])("%s", async (expression) => {
    const f = await bitsOf(
      `(func (export "f") (param i32 i32) (result i32) (i32.reinterpret_f32 (${expression})))`,
    );
    for (const a of F32_BITS) {
      for (const b of F32_BITS) {
        const bits = Number(f(a, b)) >>> 0;
        if (isNan32(bits)) expect(bits).toBe(F32);
      }
    }
  });

  test.each([
    ...BINARY.map((name) => `f64.${name} ${f64(0)} ${f64(1)}`),
    ...UNARY.map((name) => `f64.${name} ${f64(0)}`),
  ])("%s", async (expression) => {
    const f = await bitsOf(
      `(func (export "f") (param i64 i64) (result i64) (f64.store (i32.const 8) (${expression})) (i64.load (i32.const 8)))`,
    );
    for (const a of F64_BITS) {
      for (const b of F64_BITS) {
        const bits = BigInt.asUintN(64, BigInt(f(a, b)));
        if (isNan64(bits)) expect(bits).toBe(F64);
      }
    }
  });

  test.each([
    ["promote", `(i64.reinterpret_f64 (f64.promote_f32 (f32.demote_f64 ${f64(0)})))`],
    [
      "a chain of operations",
      `(i64.reinterpret_f64 (f64.add (f64.mul ${f64(0)} ${f64(1)}) (f64.sqrt ${f64(0)})))`,
    ],
    [
      "a local whose bits are seen",
      `(local.set $x (f64.add ${f64(0)} ${f64(1)})) (i64.reinterpret_f64 (local.get $x))`,
    ],
    [
      "a local that is copied to one whose bits are seen",
      `(local.set $x (f64.add ${f64(0)} ${f64(1)})) (local.set $y (local.get $x))
       (local.set $x (f64.add (local.get $x) (local.get $x))) (i64.reinterpret_f64 (local.get $y))`,
    ],
    [
      "a local that is only calculated with, on the way to memory",
      `(local.set $x (f64.add ${f64(0)} ${f64(1)})) (f64.store (i32.const 0) (f64.mul (local.get $x) (local.get $x)))
       (i64.load (i32.const 0))`,
    ],
    [
      "a tee",
      `(drop (local.tee $x (f64.sub ${f64(0)} ${f64(1)}))) (i64.reinterpret_f64 (f64.abs (local.get $x)))`,
    ],
    [
      "a local that a loop sums up",
      `(local.set $x (f64.const 0)) ${sum("$x")} (i64.reinterpret_f64 (local.get $x))`,
    ],
    [
      "a local that a loop sums up and that is copied in it to one whose bits are seen",
      `(local.set $x (f64.convert_i32_s (i32.const 3))) ${sum("$x", "(local.set $y (local.get $x))")}
       (i64.reinterpret_f64 (local.get $y))`,
    ],
    [
      "a local that a loop sums up, by way of one that may hold anything",
      `${sum("$x")} (if (i32.const 0) (then (local.set $y ${f64(0)}))) (local.set $y (local.get $x))
       (i64.reinterpret_f64 (local.get $y))`,
    ],
    [
      "a local whose bits a loop sees",
      `(local.set $x (f64.add ${f64(0)} ${f64(1)})) (f64.store (i32.const 0) (f64.const 0))
       (loop (f64.store (i32.const 0) (local.get $x)) (br_if 0 (i32.const 0))) (i64.load (i32.const 0))`,
    ],
    [
      "a select",
      `(i64.reinterpret_f64 (select (f64.add ${f64(0)} ${f64(1)}) (f64.sub ${f64(0)} ${f64(1)}) (i32.const 1)))`,
    ],
    ["a result of a block", `(i64.reinterpret_f64 (block (result f64) (f64.add ${f64(0)} ${f64(1)})))`],
    ["an argument and a result of a call", `(i64.reinterpret_f64 (call $id (f64.add ${f64(0)} ${f64(1)})))`],
    ["a global", `(global.set $g (f64.add ${f64(0)} ${f64(1)})) (i64.reinterpret_f64 (global.get $g))`],
    ["a vector", `(i64x2.extract_lane 1 (f64x2.add (f64x2.splat ${f64(0)}) (f64x2.splat ${f64(1)})))`],
    [
      "a vector of another shape",
      `(i64x2.extract_lane 0 (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.splat ${f64(0)}))))`,
    ],
  ])("by way of %s", async (_, body) => {
    const f =
      await bitsOf(`(global $g (mut f64) (f64.const 0)) (func $id (param f64) (result f64) (local.get 0))
      (func (export "f") (param i64 i64) (result i64) (local $x f64) (local $y f64) ${body})`);
    for (const a of F64_BITS.slice(0, 2)) {
      for (const b of F64_BITS) expect(BigInt.asUintN(64, BigInt(f(a, b)))).toBe(F64);
    }
  });

  test.each(["f32x4", "f64x2"])("in each lane of a vector by itself: %s", async (lanes) => {
    const [type, bits, int] = lanes === "f32x4" ? ["f32", F32, "i32"] : ["f64", F64, "i64"];
    const f = await bitsOf(`(func (export "f") (param ${int} ${int}) (result ${int})
      (${int}x${lanes.at(-1)}.extract_lane 1 (${lanes}.sqrt (${lanes}.replace_lane 1
        (${lanes}.splat (${type}.const 4)) (${type}.const -1)))))`);
    const zero = lanes === "f32x4" ? 0 : 0n;
    expect(f(zero, zero)).toBe(bits);
  });
});

test("a vector has canonical NaNs where an operation of another shape takes it", async () => {
  const f = await bitsOf(`(func (export "f") (param i64 i64) (result i32)
    (i32x4.extract_lane 0 (f32x4.add (v128.const i64x2 0 0)
      (f64x2.add (f64x2.splat ${f64(0)}) (f64x2.splat ${f64(1)})))))`);
  for (const a of F64_BITS.slice(0, 2)) for (const b of F64_BITS) expect(f(a, b)).toBe(0);
});

describe("the bits of a NaN that the guest made itself are kept", () => {
  test.each([
    [
      "by a load and a store",
      `(f64.store (i32.const 8) ${f64(0)}) (f64.store (i32.const 0) (f64.load (i32.const 8))) (i64.load (i32.const 0))`,
    ],
    [
      "by locals and blocks",
      `(local.set $x ${f64(0)}) (i64.reinterpret_f64 (block (result f64) (local.get $x)))`,
    ],
    [
      "by a local that is calculated with too",
      `(local.set $x ${f64(0)}) (drop (f64.add (local.get $x) (local.get $x))) (i64.reinterpret_f64 (local.get $x))`,
    ],
    [
      "by a local that a loop may sum up",
      `(local.set $x ${f64(0)}) (if (i32.const 0) (then ${sum("$x")})) (i64.reinterpret_f64 (local.get $x))`,
    ],
    [
      "by a copy to a local that a loop may sum up",
      `(local.set $y (f64.load (i32.const 8))) (f64.store (i32.const 8) ${f64(0)})
       (local.set $y (f64.load (i32.const 8))) (local.set $x (local.get $y))
       (if (i32.const 0) (then ${sum("$x")})) (i64.reinterpret_f64 (local.get $x))`,
    ],
    ["by a parameter that a loop may sum up", `(i64.reinterpret_f64 (call $pass ${f64(0)}))`],
    [
      "by a constant that a loop may sum up",
      `(local.set $x (f64.const nan:0x4000000000000)) (if (i32.const 0) (then ${sum("$x")}))
       (i64.xor (i64.reinterpret_f64 (local.get $x)) (i64.xor (local.get 0) (i64.const 0x7ff4000000000000)))`,
    ],
    ["by neg, twice", `(i64.reinterpret_f64 (f64.neg (f64.neg ${f64(0)})))`],
    ["by pmin", `(i64x2.extract_lane 0 (f64x2.pmin (f64x2.splat ${f64(0)}) (f64x2.splat (f64.const 1))))`],
  ])("%s", async (_, body) => {
    const f =
      await bitsOf(`(func $pass (param f64) (result f64) (if (i32.const 0) (then ${sum("0")})) (local.get 0))
      (func (export "f") (param i64 i64) (result i64) (local $x f64) (local $y f64) ${body})`);
    for (const bits of F64_BITS.slice(0, 2)) expect(BigInt.asUintN(64, BigInt(f(bits, 0n)))).toBe(bits);
  });
});

test("the bits of a NaN do not change when the engine has optimised", async () => {
  const f = await bitsOf(`(func (export "f") (param i64 i64) (result i64)
    (i64.reinterpret_f64 (f64.div (f64.const 0) (f64.const 0))))`);
  const seen = new Set<unknown>();
  for (let i = 0; i < 100_000; i++) seen.add(f(0n, 0n));
  expect(seen).toEqual(new Set([F64]));
});
