import { does, Family, many } from "../hostile.js";

/** Loops that only the fuel ends. */
export const loops = new Family("loops").fails("out-of-fuel", {
  "a loop without a body": does("(loop $again (br $again))"),
  "a loop of ten thousand nops, which cost nothing": does(`(loop $again ${many(10_000, "nop")} (br $again))`),
  "a loop that goes on by br_if": does("(loop $again (br_if $again (i32.const 1)))"),
  "a br_table of which every target is the loop": does(
    "(loop $again (br_table $again $again $again (i32.const 7)))",
  ),
  "a br_table of which only the default is the loop": does(
    "(loop $again (block $out (br_table $out $out $again (i32.const -1))))",
  ),
  "a loop that is entered by falling into it from another": does("(loop $outer (loop $inner) (br $outer))"),
  "two loops that jump to each other's start": does("(loop $a (loop $b (br_if $a (i32.const 1)) (br $b)))"),
  "a loop that both arms of an if go back to": does(
    "(loop $again (if (i32.const 0) (then (br $again)) (else (br $again))))",
  ),
  "a loop that carries its state on the stack": does(
    "i32.const 0 (loop $again (param i32) (result i32) i32.const 1 i32.add br $again) drop",
  ),
  "a loop left and entered again by a thousand blocks": does(
    `(loop $again ${many(1000, "(block")} (br $again) ${many(1000, ")")})`,
  ),
  "a loop around a call of an empty function": does("(loop $again (call $empty) (br $again))", {
    fields: "(func $empty)",
  }),
  "a loop around a function that returns from its middle": does("(loop $again (call $early) (br $again))", {
    fields: "(func $early (block (return)) (unreachable))",
  }),
  "a count to 2^63": does(
    "(local $n i64) (loop $again (br_if $again (i64.ne (local.tee $n (i64.add (local.get $n) (i64.const 1))) (i64.const 0x7fffffffffffffff))))",
  ),
  "a hundred loops nested in each other, each of a hundred turns": does(
    `${many(100, (i) => `(local $n${i} i32)`)} ${many(100, (i) => `(local.set $n${i} (i32.const 0)) (loop $l${i}`)} ${many(100, (i) => `(br_if $l${99 - i} (i32.lt_u (local.tee $n${99 - i} (i32.add (local.get $n${99 - i}) (i32.const 1))) (i32.const 100))))`)}`,
  ),
  "a block of ten thousand instructions with fuel for half of it": {
    guest: does(many(5_000, "(drop (i32.const 0))")),
    limits: { fuel: 2_500 },
  },
  "anything at all with one unit of fuel": { guest: does(""), limits: { fuel: 1 } },
});
