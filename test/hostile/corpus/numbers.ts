import { does, Family, must } from "../hostile.js";

const hidden = "(func $zero (result f64) (f64.const 0)) (func $zero32 (result f32) (f32.const 0))";
const QUIET = "0x7ff8000000000000";
const QUIET32 = "0x7fc00000";

/** Bits of a NaN that differ between engines, or in one engine before and after it optimises. */
const isCanonical = (value: string) => must(`(i64.eq (i64.reinterpret_f64 ${value}) (i64.const ${QUIET}))`);
const isCanonical32 = (value: string) =>
  must(`(i32.eq (i32.reinterpret_f32 ${value}) (i32.const ${QUIET32}))`);
const stored = (value: string) =>
  `(f64.store (i32.const 1024) ${value}) ${must(`(i64.eq (i64.load (i32.const 1024)) (i64.const ${QUIET}))`)}`;

/** Numbers at the edges of their types. */
export const numbers = new Family("numbers")
  .fails("trap", {
    "the least integer divided by -1": {
      guest: does("(drop (i64.div_s (i64.const 0x8000000000000000) (i64.const -1)))"),
      because: "integer overflow",
    },
    "the remainder of a division by zero": {
      guest: does("(drop (i32.rem_s (i32.const 1) (i32.const 0)))"),
      because: "divide by zero",
    },
    "a NaN as an integer": {
      guest: does("(drop (i64.trunc_f64_u (f64.const nan)))"),
      because: "invalid conversion",
    },
    "2^63 as a signed integer": {
      guest: does("(drop (i64.trunc_f64_s (f64.const 9223372036854775808)))"),
      because: "invalid conversion",
    },
  })
  .survives({
    "the sign of zero divided by zero": does(isCanonical("(f64.div (call $zero) (call $zero))"), {
      fields: hidden,
    }),
    "the sign of zero divided by zero, of 32 bits": does(
      isCanonical32("(f32.div (call $zero32) (call $zero32))"),
      { fields: hidden },
    ),
    "the payload of a NaN that an operation was given": does(
      isCanonical("(f64.add (f64.const nan:0x4000000000001) (call $zero))"),
      { fields: hidden },
    ),
    "which of two NaN an addition gives": does(
      isCanonical("(f64.add (f64.const -nan:0x8000000000001) (f64.const nan:0x8000000000002))"),
    ),
    "the payload of the smaller of two NaN": does(
      isCanonical("(f64.min (f64.const -nan:0x8000000000001) (f64.const nan:0x8000000000002))"),
    ),
    "the bits of a square root of -1, through the memory": does(stored("(f64.sqrt (f64.const -1))")),
    "the bits of a NaN that was made longer": does(
      isCanonical("(f64.promote_f32 (f32.const -nan:0x200001))"),
    ),
    "the bits of infinity less infinity, in a lane of a vector": does(
      must(
        `(i64.eq (i64x2.extract_lane 1 (f64x2.sub (v128.const f64x2 inf inf) (v128.const f64x2 inf inf))) (i64.const ${QUIET}))`,
      ),
    ),
    "zero divided by zero, before and after the engine has optimised": does(
      `(local $i i32)
      (loop $again
        ${isCanonical("(f64.div (call $zero) (call $zero))")}
        (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000000))))`,
      { fields: hidden },
    ),
  });
