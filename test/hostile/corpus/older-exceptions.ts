import { guest } from "../../support/guests.js";
import { HANDLE_TYPE } from "../../support/handler.js";
import {
  component,
  Family,
  HANDLE,
  HOST_NAME,
  lifted,
  many,
  NOTHING,
  named,
  type Source,
  unchecked,
} from "../hostile.js";

const E = "(tag $e)";
const SPIN = "(loop $spin (br $spin))";
const FILL = "(memory.fill (i32.const 0) (i32.const 0) (i32.const 65536))";
const LOG_NOTHING = "(call $log (i32.const 0) (i32.const 0) (i32.const 0))";
const CONFIG = "(call $config (i32.const 32))";

/** Swallows whatever can be caught. */
const swallow = (body: string) => `try ${body} catch_all end`;
const again = (body: string) => `(loop $again ${body} (br $again))`;

/** Tools make components of modules without these instructions only. */
const runs = (handle: string, fields = E): Source =>
  unchecked(guest({ fields, handle: `${handle} ${NOTHING}` }));

/** The same with the host's functions, over the memory of a module of its own, whose allocator is given. */
const talks = (handle: string, realloc = "(i32.const 4096)"): Source =>
  component(`
    (import "${HOST_NAME}" (instance $host
      (type (enum "debug" "info" "warn" "error")) (export "level" (type $level (eq 0)))
      (export "log" (func (param "level" $level) (param "message" string)))
      (export "config" (func (result string)))))
    (core module $memory ${E} (memory (export "memory") 1)
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) ${realloc}))
    (core instance $memory (instantiate $memory))
    (core func $log (canon lower (func $host "log") (memory (core memory $memory "memory"))))
    (core func $config (canon lower (func $host "config")
      (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
    (core instance $lowered (export "log" (func $log)) (export "config" (func $config)))
    ${named(
      "$m",
      guest({
        imports:
          '(import "host" "log" (func $log (param i32 i32 i32))) (import "host" "config" (func $config (param i32)))',
        fields: E,
        handle: `${handle} ${NOTHING}`,
      }),
    )}
    (core instance $main (instantiate $m (with "host" (instance $lowered)))) ${lifted("$main")}`);

const lifting = (post: string) =>
  component(`${named("$m", guest({ fields: `${E} (func (export "post") (param i32) ${post})`, handle: NOTHING }))}
    (core instance $main (instantiate $m))
    (func $handle ${HANDLE_TYPE} (canon lift (core func $main "${HANDLE}") (memory (core memory $main "memory"))
      (realloc (core func $main "cabi_realloc")) (post-return (core func $main "post"))))
    (instance $h (export "handle" (func $handle))) (export "wasmhook:hook/handler@1.0.0" (instance $h))`);

/** Handlers of the encoding that every engine has. */
export const olderExceptions = new Family("exceptions of the older encoding")
  .fails("out-of-fuel", {
    "throwing and catching for ever": runs(again(swallow("(throw $e)"))),
    "going back to a loop by catching only": runs("loop $again try throw $e catch_all br $again end end"),
    "throwing from five hundred frames deep for ever": runs(
      again(swallow("(call $f (i32.const 500))")),
      `${E} (func $f (param i32)
        (if (i32.eqz (local.get 0)) (then (throw $e)))
        (call $f (i32.sub (local.get 0) (i32.const 1))) (nop))`,
    ),
    "throwing from five hundred frames that each have a handler for another tag": runs(
      again(swallow("(call $f (i32.const 500))")),
      `${E} (tag $other) (func $f (param i32)
        try
          (if (i32.eqz (local.get 0)) (then (throw $e)))
          (call $f (i32.sub (local.get 0) (i32.const 1)))
        catch $other end)`,
    ),
    "rethrowing for ever": runs(
      "loop $again try try throw $e catch $e rethrow 0 end catch_all br $again end end",
    ),
    "rethrowing by every one of five hundred frames": runs(
      again(swallow("(call $f (i32.const 500))")),
      `${E} (func $f (param i32)
        try
          (if (i32.eqz (local.get 0)) (then (throw $e)))
          (call $f (i32.sub (local.get 0) (i32.const 1)))
        catch_all rethrow 0 end)`,
    ),
    "delegating for ever": runs("loop $again try $t try throw $e delegate $t catch_all br $again end end"),
    "a thousand handlers round each other, each of which rethrows": runs(
      again(swallow(`${many(1_000, "try")} throw $e ${many(1_000, "catch_all rethrow 0 end")}`)),
    ),
    "exceptions of thirty vectors for ever": runs(
      again(swallow(`(throw $v ${many(30, "(v128.const i64x2 1 2)")})`)),
      `(tag $v (param ${many(30, "v128")}))`,
    ),
    "an endless loop within a handler for everything": runs(swallow(SPIN)),
    "an endless loop within a handler, tried again for ever": runs(again(swallow(SPIN))),
    "a handler round a fill that cannot be paid": {
      guest: runs(again(swallow(FILL))),
      limits: { fuel: 50_000 },
    },
    "a handler round calls to the host that cannot be paid": talks(again(swallow(LOG_NOTHING))),
    "a handler round an allocator that never ends": talks(swallow(CONFIG), `${SPIN} (i32.const 4096)`),
  })
  .fails("trap", {
    "a handler round unreachable": { guest: runs(swallow("(unreachable)")), because: "unreachable" },
    "a handler round a division by zero": {
      guest: runs(swallow("(drop (i32.div_u (i32.const 1) (i32.const 0)))")),
      because: "divide by zero",
    },
    "a handler round an access beyond the memory": {
      guest: runs(swallow("(drop (i32.load (i32.const -1)))")),
      because: "memory access",
    },
    "an exception that nobody catches": { guest: runs("(throw $e)"), because: "uncaught exception" },
    "an exception out of the allocator": {
      guest: unchecked(guest({ fields: E, realloc: "(throw $e)", handle: NOTHING })),
      because: "uncaught exception",
    },
    "an exception out of the allocator, caught round the call to the host": {
      guest: talks(swallow(CONFIG), "(throw $e)"),
      because: "uncaught exception",
    },
    "a trap of the allocator, caught round the call to the host": {
      guest: talks(swallow(CONFIG), "unreachable"),
      because: "unreachable",
    },
    "an exception out of a start function": {
      guest: runs("", `${E} (func $s (throw $e)) (start $s)`),
      because: "uncaught exception",
    },
    "an exception out of post-return": { guest: lifting("(throw $e)"), because: "uncaught exception" },
  })
  .fails("stack-exhausted", {
    "a handler round a recursion": runs(swallow("(call $f)"), "(func $f (call $f) (nop))"),
    "a handler in every frame of a recursion": runs("(call $f)", `(func $f ${swallow("(call $f)")})`),
    "a recursion in the handler of an exception": runs(
      "(call $f)",
      `(tag $v (param ${many(30, "v128")}))
      (func $f try (throw $v ${many(30, "(v128.const i64x2 1 2)")}) catch_all (call $f) end)`,
    ),
  })
  .fails("bad-output", {
    "a handler round a call to the host with a pointer into nowhere": talks(
      swallow("(call $log (i32.const 0) (i32.const -8) (i32.const 16))"),
    ),
    "a handler round a call to the host with a level that there is not, and another call after it": talks(
      `${swallow("(call $log (i32.const 9) (i32.const 0) (i32.const 0))")} ${LOG_NOTHING}`,
    ),
  })
  .survives({ "an exception that is thrown and caught": runs(swallow("(throw $e)")) });
