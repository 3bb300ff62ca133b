import { does, Family, LOG, many } from "../hostile.js";

const TIMES = 20;

/** A loop of this instruction, many times over in each turn. */
function repeating(instruction: string, locals = "", fields = ""): ReturnType<typeof does> {
  return does(`${locals} (loop $again ${many(TIMES, instruction)} (br $again))`, { fields });
}

const F64S =
  "(local $x f64) (local $y f64) (local.set $x (f64.const 5e-324)) (local.set $y (f64.const 3e-320))";
const F32S =
  "(local $x f32) (local $y f32) (local.set $x (f32.const 1e-45)) (local.set $y (f32.const 3e-40))";
const V128S =
  "(local $x v128) (local $y v128) (local.set $x (v128.const f64x2 5e-324 3e-320)) (local.set $y (v128.const f64x2 3e-320 5e-324))";
const GROWN = "(drop (memory.grow (i32.const 1000)))";
const RANDOM =
  "(local.set $at (i32.add (i32.mul (local.get $at) (i32.const 1664525)) (i32.const 1013904223)))";
const SOMEWHERE = "(i32.shr_u (local.get $at) (i32.const 7))";

/** What takes the most time for its fuel. */
export const slow = new Family("slow").fails("out-of-fuel", {
  "divisions of 64 bits": repeating(
    "(local.set $x (i64.or (i64.div_u (i64.const -1) (local.get $x)) (i64.const 3)))",
    "(local $x i64) (local.set $x (i64.const 3))",
  ),
  "remainders of 64 bits": repeating(
    "(local.set $x (i64.or (i64.rem_s (i64.const -7) (local.get $x)) (i64.const 3)))",
    "(local $x i64) (local.set $x (i64.const 3))",
  ),
  "square roots of denormal numbers": repeating(
    "(local.set $x (f64.sqrt (f64.mul (local.get $y) (local.get $y))))",
    F64S,
  ),
  "additions of denormal numbers": repeating("(local.set $x (f64.add (local.get $x) (local.get $y)))", F64S),
  "products of denormal numbers": repeating("(drop (f64.mul (local.get $y) (f64.const 0.5)))", F64S),
  "quotients of denormal numbers": repeating("(local.set $x (f64.div (local.get $y) (f64.const 1.5)))", F64S),
  "denormal numbers of 32 bits": repeating("(local.set $x (f32.mul (local.get $y) (f32.const 0.75)))", F32S),
  "vectors of denormal numbers": repeating(
    "(local.set $x (f64x2.mul (local.get $y) (v128.const f64x2 0.5 0.5)))",
    V128S,
  ),
  "quotients of vectors": repeating(
    "(local.set $x (f64x2.div (local.get $y) (v128.const f64x2 3 1.5)))",
    V128S,
  ),
  "square roots of vectors": repeating("(local.set $x (f64x2.sqrt (local.get $y)))", V128S),
  "shuffles of vectors": repeating(
    "(local.set $x (i8x16.shuffle 31 0 30 1 29 2 28 3 27 4 26 5 25 6 24 7 (local.get $x) (local.get $y)))",
    V128S,
  ),
  "roundings to the nearest number": repeating(
    "(local.set $x (f64.nearest (f64.add (local.get $x) (f64.const 0.5))))",
    F64S,
  ),
  "saturating conversions": repeating(
    "(local.set $x (f64.convert_i64_u (i64.trunc_sat_f64_u (local.get $x))))",
    F64S,
  ),
  "loads that miss every cache": does(
    `(local $at i32) (local $sum i32) ${GROWN}
    (loop $again ${many(8, `${RANDOM} (local.set $sum (i32.add (local.get $sum) (i32.load ${SOMEWHERE})))`)} (br $again))`,
  ),
  "stores that cross pages at random": does(
    `(local $at i32) ${GROWN}
    (loop $again ${many(8, `${RANDOM} (i64.store (i32.or ${SOMEWHERE} (i32.const 4093)) (i64.const -1))`)} (br $again))`,
  ),
  "calls through a table to a thousand functions in turn": does(
    `(local $i i32) (loop $again
      (call_indirect (type $f) (i32.rem_u (local.tee $i (i32.add (local.get $i) (i32.const 7))) (i32.const 1000)))
      (br $again))`,
    {
      fields: `(type $f (func)) (table 1000 funcref) (elem (i32.const 0) ${many(1_000, (i) => `$f${i}`)})
        (global $g (mut i32) (i32.const 0))
        ${many(1_000, (i) => `(func $f${i} (global.set $g (i32.const ${i})))`)}`,
    },
  ),
  "functions out of a table and into another": does(
    "(loop $again (table.set $a (i32.const 1) (table.get $b (i32.const 2))) (table.set $b (i32.const 2) (ref.func $answer)) (br $again))",
    { fields: "(table $a 10 funcref) (table $b 10 funcref) (elem declare func $answer)" },
  ),
  "the smallest calls to the host": does(
    "(loop $again (call $log (i32.const 0) (i32.const 0) (i32.const 0)) (br $again))",
    { imports: LOG },
  ),
  "long messages to the host, over the limit of the log": does(
    `${GROWN} (loop $again (call $log (i32.const 0) (i32.const 0) (i32.const 1000000)) (br $again))`,
    { imports: LOG },
  ),
  "messages of text that is three bytes a character": {
    guest: does(
      `${GROWN} (memory.copy (i32.const 1027) (i32.const 1024) (i32.const 60000))
      (loop $again (call $log (i32.const 0) (i32.const 1024) (i32.const 30000)) (br $again))`,
      { imports: LOG, fields: '(data (i32.const 1024) "\\e4\\b8\\ad")', textBytes: 3 },
    ),
  },
});
