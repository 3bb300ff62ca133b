import { guest } from "../../support/guests.js";
import { CONFIG, does, Family, hook, LOG, many, NOTHING } from "../hostile.js";

const TABLE = "(type $f (func)) (table $t 3 funcref)";

/** Calls that never return, and calls of what is not there. */
export const calls = new Family("calls")
  .fails("stack-exhausted", {
    "a function that calls itself": does("(call $f)", { fields: "(func $f (call $f) (nop))" }),
    "two functions that call each other": does("(call $a)", {
      fields: "(func $a (call $b) (nop)) (func $b (call $a) (nop))",
    }),
    "a function that calls itself through a table": does("(call $self)", {
      fields: `${TABLE} (elem (i32.const 0) $self) (func $self (call_indirect (type $f) (i32.const 0)) (nop))`,
    }),
    "a recursion with two thousand locals a frame": does("(call $f (i64.const 1))", {
      fields: `(func $f (param i64) ${many(1_990, "(local i64)")}
        ${many(100, (i) => `(local.set ${i + 1} (i64.add (local.get 0) (i64.const ${i})))`)}
        (call $f ${many(99, (i) => `(i64.add (local.get ${i + 1})`)} (local.get 100) ${many(99, ")")})
        (drop (local.get 50)))`,
    }),
    "a recursion of functions with a thousand parameters": does(
      `(call $wide ${many(1_000, "(i32.const 1)")})`,
      {
        fields: `(func $wide (param ${many(1_000, "i32")}) (call $wide ${many(1_000, (i) => `(local.get ${i})`)}) (nop))`,
      },
    ),
    "a recursion in a start function": does("", {
      fields: "(func $f (call $f) (nop)) (start $f)",
    }),
    "a recursion in the allocator": hook(
      guest({
        handle: NOTHING,
        realloc:
          "(call $realloc (local.get $old) (local.get $oldLen) (local.get $align) (i32.add (local.get $len) (i32.const 1)))",
      }),
    ),
    "a recursion that ends in calls to the host": {
      guest: does("(call $deeper)", {
        imports: LOG,
        fields: "(func $deeper (call $log (i32.const 0) (i32.const 0) (i32.const 0)) (call $deeper) (nop))",
      }),
      limits: { fuel: "100G", deadline: "60s" },
    },
  })
  .fails("out-of-fuel", {
    "a tail call to itself": does("(call $f)", { fields: "(func $f (return_call $f))" }),
    "tail calls between two functions": does("(call $a)", {
      fields: "(func $a (return_call $b)) (func $b (return_call $a))",
    }),
    "tail calls through a table": does("(call $self)", {
      fields: `${TABLE} (elem (i32.const 0) $self) (func $self (return_call_indirect (type $f) (i32.const 0)))`,
    }),
    "tail calls with more and more parameters": does("(call $none)", {
      fields: `(func $none (return_call $some (i64.const 1) (i64.const 2) (i64.const 3)))
        (func $some (param i64 i64 i64) (return_call $many ${many(100, "(local.get 1)")}))
        (func $many (param ${many(100, "i64")}) (return_call $none))`,
    }),
    "tail calls to the host": does("(loop $again (call $f) (br $again))", {
      imports: LOG,
      fields: "(func $f (return_call $log (i32.const 0) (i32.const 0) (i32.const 0)))",
    }),
    "a host function called through a table": does(
      "(loop $again (call_indirect (type $l) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)) (br $again))",
      {
        imports: LOG,
        fields: "(type $l (func (param i32 i32 i32))) (table 1 funcref) (elem (i32.const 0) $log)",
      },
    ),
    "a recursion of five hundred frames again and again": does(
      "(loop $again (call $f (i32.const 500)) (br $again))",
      {
        fields:
          "(func $f (param i32) (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))))))",
      },
    ),
    "the Fibonacci number of a hundred, by recursion": does("(drop (call $fib (i32.const 100)))", {
      fields: `(func $fib (param i32) (result i32)
        (if (i32.lt_u (local.get 0) (i32.const 2)) (then (return (local.get 0))))
        (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))`,
    }),
    "a function of a thousand results, called for ever": does(
      `(loop $again (call $wide) ${many(1_000, "drop")} (br $again))`,
      { fields: `(func $wide (result ${many(1_000, "i64")}) ${many(1_000, "(i64.const 1)")})` },
    ),
    "the config read a million times": {
      guest: does("(loop $again (call $config (i32.const 32)) (br $again))", { imports: CONFIG }),
      config: { key: "x".repeat(1000) },
    },
  })
  .fails("trap", {
    "a call of nothing": {
      guest: does("(call_indirect (type $f) (i32.const 2))", { fields: TABLE }),
      because: "indirect call",
    },
    "a call of a function of another type": {
      guest: does("(call_indirect (type $f) (i32.const 0))", {
        fields: `${TABLE} (elem (i32.const 0) $answer)`,
      }),
      because: "indirect call",
    },
    "a call beyond the table": {
      guest: does("(call_indirect (type $f) (i32.const -1))", { fields: TABLE }),
      because: "out of bounds table access",
    },
  });
