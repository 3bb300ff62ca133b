import { CONFIG, does, Family, LOG, many, needing } from "../hostile.js";

const E = "(tag $e)";
const SPIN = "(loop $spin (br $spin))";
const SELF = "(func $deeper (call $deeper) (nop))";

/** Swallows whatever can be caught. */
const swallow = (body: string) => `(block $caught (try_table (catch_all $caught) ${body}))`;

/** Handlers round what must not be caught, and exceptions where a program has none. */
export const exceptions = new Family("exceptions")
  .fails(
    "out-of-fuel",
    needing("exnref", {
      "throwing and catching for ever": does(`(loop $again ${swallow("(throw $e)")} (br $again))`, {
        fields: E,
      }),
      "going back to a loop by catching only": does(
        "(loop $again (try_table (catch_all $again) (throw $e)))",
        { fields: E },
      ),
      "throwing from five hundred frames deep for ever": does(
        `(loop $again ${swallow("(call $f (i32.const 500))")} (br $again))`,
        {
          fields: `${E} (func $f (param i32)
            (if (i32.eqz (local.get 0)) (then (throw $e)))
            (call $f (i32.sub (local.get 0) (i32.const 1))) (nop))`,
        },
      ),
      "throwing from five hundred frames that each have a handler for another tag": does(
        `(loop $again ${swallow("(call $f (i32.const 500))")} (br $again))`,
        {
          fields: `${E} (tag $other) (func $f (param i32)
            (block $no (try_table (catch $other $no)
              (if (i32.eqz (local.get 0)) (then (throw $e)))
              (call $f (i32.sub (local.get 0) (i32.const 1))))))`,
        },
      ),
      "rethrowing one exception for ever": does(
        `(local $x exnref)
        (local.set $x (block $caught (result exnref)
          (try_table (catch_all_ref $caught) (throw $e)) (unreachable)))
        (loop $again
          (local.set $x (block $caught (result exnref)
            (try_table (catch_all_ref $caught) (throw_ref (local.get $x))) (unreachable)))
          (br $again))`,
        { fields: E },
      ),
      "a thousand handlers round each other": does(
        `(loop $again ${many(1_000, "(try_table (catch_all $again)")} (throw $e) ${many(1_000, ")")})`,
        { fields: E },
      ),
      "an endless loop within a handler for everything": does(swallow(SPIN)),
      "an endless loop within a handler, tried again for ever": does(
        `(loop $again ${swallow(SPIN)} (br $again))`,
      ),
      "a handler round a fill that cannot be paid": {
        guest: does(
          `(loop $again ${swallow("(memory.fill (i32.const 0) (i32.const 0) (i32.const 65536))")} (br $again))`,
        ),
        limits: { fuel: 50_000 },
      },
      "a handler round calls to the host that cannot be paid": does(
        `(loop $again ${swallow("(call $log (i32.const 0) (i32.const 0) (i32.const 0))")} (br $again))`,
        { imports: LOG },
      ),
      "a handler round an allocator that never ends": does(
        `(global.set $armed (i32.const 1)) ${swallow("(call $config (i32.const 32))")}`,
        {
          imports: CONFIG,
          fields: "(global $armed (mut i32) (i32.const 0))",
          realloc: `(if (global.get $armed) (then ${SPIN})) (i32.const 4096)`,
        },
      ),
    }),
  )
  .fails(
    "trap",
    needing("exnref", {
      "a handler round unreachable": { guest: does(swallow("(unreachable)")), because: "unreachable" },
      "a handler round a division by zero": {
        guest: does(swallow("(drop (i32.div_u (i32.const 1) (i32.const 0)))")),
        because: "divide by zero",
      },
      "an exception out of the allocator, caught round the call to the host": {
        guest: does(`(global.set $armed (i32.const 1)) ${swallow("(call $config (i32.const 32))")}`, {
          imports: CONFIG,
          fields: `${E} (global $armed (mut i32) (i32.const 0))`,
          realloc: "(if (global.get $armed) (then (throw $e))) (i32.const 4096)",
        }),
        because: "uncaught exception",
      },
    }),
  )
  .fails(
    "stack-exhausted",
    needing("exnref", {
      "a handler round a recursion": does(swallow("(call $deeper)"), { fields: SELF }),
      "a handler in every frame of a recursion": does("(call $f)", {
        fields: `(func $f ${swallow("(call $f)")})`,
      }),
    }),
  )
  .fails(
    "bad-output",
    needing("exnref", {
      "a handler round a call to the host with a pointer into nowhere": does(
        swallow("(call $log (i32.const 0) (i32.const -8) (i32.const 16))"),
        { imports: LOG },
      ),
    }),
  )
  .survives(
    needing("exnref", {
      "an exception that is thrown and caught": does(swallow("(throw $e)"), { fields: E }),
    }),
  )
  .refused("feature-refused", {
    "a chain of exceptions, each holding the one before it, that fills the engine's heap": {
      guest: does(
        `(local $x exnref)
        (loop $again
          (local.set $x (block $caught (result exnref)
            (try_table (catch_all_ref $caught) (throw $e (local.get $x))) (unreachable)))
          (br $again))`,
        { fields: "(tag $e (param exnref))" },
      ),
      because: "exceptions that hold exceptions",
    },
  })
  .refused("module-refused", {
    "exceptions of a thousand vectors each, held by every frame of a recursion": {
      guest: does("(call $f)", {
        fields: `(tag $e (param ${many(1_000, "v128")}))
          (func $f
            (local $x exnref)
            (local.set $x (block $caught (result exnref)
              (try_table (catch_all_ref $caught)
                (throw $e ${many(1_000, "(v128.const i64x2 -1 -1)")})) (unreachable)))
            (call $f)
            (drop (ref.is_null (local.get $x))))`,
      }),
      because: "tagParameters",
    },
  });
