import { readFileSync } from "node:fs";
import { buildHook } from "#src/build/build-hook";
import type { Limits } from "#src/hooks/hook";
import { command, READ_ALL, TEXT } from "../../support/commands.js";
import { componentFromWat, hookComponent, utf16HookComponent } from "../../support/components.js";
import * as guests from "../../support/guests.js";
import { guest } from "../../support/guests.js";
import { HOST, NOTHING } from "../run-guest.js";

/** A guest with one event, and what comes of it on every engine. */
export interface Case {
  component: () => Promise<Uint8Array>;
  event: string;
  config?: unknown;
  limits?: Partial<Limits>;
  /** Units of fuel. */
  fuel: number;
  /** The first digits of the SHA-256 of what it decided or failed of, its logs and its memory's peak. */
  digest: string;
}

const EXAMPLES = new URL("../../../guest-examples/", import.meta.url);

function example(
  name: string,
  eventName: string,
  expected: Pick<Case, "fuel" | "digest">,
  config?: unknown,
): Case {
  const file = new URL(`${name}/events/${eventName}.json`, EXAMPLES);
  return {
    component: async () => (await buildHook(new URL(`${name}/hook.ts`, EXAMPLES).pathname)).bytes,
    event: JSON.stringify(JSON.parse(readFileSync(file, "utf8"))),
    config,
    ...expected,
  };
}

/** A text as the product of a guest that was written for the tests. */
const text = (wat: string) => () => hookComponent(wat);

/** Answers the hexadecimal digits of what `body` has left in 256 bytes from address 2048 on. */
function showing(body: string, fields = ""): string {
  return guest({
    textBytes: 2048,
    fields: `${fields}
      (func $digit (param $at i32) (param $value i32)
        (i32.store8 (local.get $at) (i32.add (local.get $value)
          (select (i32.const 87) (i32.const 48) (i32.gt_u (local.get $value) (i32.const 9))))))
      (func $show (result i32) (local $i i32) (local $byte i32)
        (loop $next
          (local.set $byte (i32.load8_u offset=2048 (local.get $i)))
          (call $digit (i32.add (i32.const 1024) (i32.shl (local.get $i) (i32.const 1)))
            (i32.shr_u (local.get $byte) (i32.const 4)))
          (call $digit (i32.add (i32.const 1025) (i32.shl (local.get $i) (i32.const 1)))
            (i32.and (local.get $byte) (i32.const 15)))
          (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 256))))
        (call $answer (i32.const 0) (i32.const 1024) (i32.const 512)))`,
    handle: `(local $i i32) (local $x f64) (local $y f32) ${body} (call $show)`,
  });
}

/** A sequence that doubles each rounding error, with roots of it that are NaN at times, kept bit by bit. */
const floats = showing(`
  (local.set $x (f64.const 0.3)) (local.set $y (f32.const 0.3))
  (loop $next
    (local.set $x (f64.mul (f64.mul (f64.const 3.99) (local.get $x)) (f64.sub (f64.const 1) (local.get $x))))
    (local.set $y (f32.mul (f32.mul (f32.const 3.99) (local.get $y)) (f32.sub (f32.const 1) (local.get $y))))
    (f64.store (i32.add (i32.const 2048) (i32.and (i32.shl (local.get $i) (i32.const 3)) (i32.const 127)))
      (f64.add (local.get $x) (f64.sqrt (f64.sub (local.get $x) (f64.const 0.5)))))
    (f32.store (i32.add (i32.const 2176) (i32.and (i32.shl (local.get $i) (i32.const 2)) (i32.const 63)))
      (f32.div (f32.demote_f64 (local.get $x)) (f32.sqrt (f32.sub (f32.const 0.5) (local.get $y)))))
    (f64.store (i32.add (i32.const 2240) (i32.and (i32.shl (local.get $i) (i32.const 3)) (i32.const 63)))
      (f64.copysign (f64.promote_f32 (local.get $y)) (f64.sub (f64.const 0.5) (local.get $x))))
    (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 500))))`);

/** The same in vectors. */
const vectors = showing(
  `(loop $next
    (global.set $v (f32x4.mul (f32x4.mul (v128.const f32x4 3.99 3.98 3.97 3.96) (global.get $v))
      (f32x4.sub (v128.const f32x4 1 1 1 1) (global.get $v))))
    (v128.store (i32.add (i32.const 2048) (i32.and (i32.shl (local.get $i) (i32.const 4)) (i32.const 127)))
      (f32x4.sqrt (f32x4.sub (global.get $v) (v128.const f32x4 0.5 0.25 0.5 0.75))))
    (v128.store (i32.add (i32.const 2176) (i32.and (i32.shl (local.get $i) (i32.const 4)) (i32.const 127)))
      (f64x2.max (f64x2.promote_low_f32x4 (global.get $v))
        (f64x2.sqrt (f64x2.promote_low_f32x4 (f32x4.sub (global.get $v) (v128.const f32x4 0.5 0.5 0 0))))))
    (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 300))))`,
  "(global $v (mut v128) (v128.const f32x4 0.3 0.4 0.5 0.6))",
);

/** Throws from a depth that changes, and catches; the payload is counted. */
const exceptions = guest({
  textBytes: 4,
  fields: `(tag $e (param i32)) (global $sum (mut i32) (i32.const 0))
    (func $deep (param $n i32) (param $value i32)
      (if (i32.eqz (local.get $n)) (then (throw $e (local.get $value))))
      (call $deep (i32.sub (local.get $n) (i32.const 1)) (i32.add (local.get $value) (i32.const 3))))`,
  handle: `(local $i i32)
    (loop $next
      try (call $deep (i32.rem_u (local.get $i) (i32.const 17)) (local.get $i))
      catch $e (global.set $sum (i32.add (global.get $sum)))
      catch_all unreachable
      end
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 200))))
    (i32.store (i32.const 1024) (i32.or (i32.and (global.get $sum) (i32.const 0x0f0f0f0f)) (i32.const 0x30303030)))
    (call $answer (i32.const 0) (i32.const 1024) (i32.const 4))`,
});

/** Tells all that a command gets of a system, in hexadecimal digits on stderr, and exits where it could be caught. */
const system = command({
  fields: `(func $digit (param $value i32) (result i32)
    (i32.add (local.get $value) (select (i32.const 87) (i32.const 48) (i32.gt_u (local.get $value) (i32.const 9)))))`,
  start: `${READ_ALL}
    (call $write (i32.const 1) (i32.const ${TEXT}) (local.get $n))
    (drop (call $clock_time_get (i32.const 0) (i64.const 0) (i32.const 1024)))
    (drop (call $random_get (i32.const 1032) (i32.const 32)))
    (i64.store (i32.const 536) (i64.const 1234567891011))
    (drop (call $poll_oneoff (i32.const 512) (i32.const 1064) (i32.const 1) (i32.const 1096)))
    (drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 1100)))
    (drop (call $random_get (i32.const 1108) (i32.const 12)))
    (loop $next
      (local.set $j (i32.load8_u offset=1024 (local.get $i)))
      (i32.store8 offset=2048 (i32.shl (local.get $i) (i32.const 1)) (call $digit (i32.shr_u (local.get $j) (i32.const 4))))
      (i32.store8 offset=2049 (i32.shl (local.get $i) (i32.const 1)) (call $digit (i32.and (local.get $j) (i32.const 15))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 96))))
    (call $write (i32.const 2) (i32.const 2048) (i32.const 192))
    try (call $proc_exit (i32.const 3)) catch_all end`,
});

/** Grows its memory and a table as far as they go, fills what it got, and then traps where it has no right to. */
const growth = guest({
  fields: "(table $t 1 funcref) (type $none (func))",
  handle: `(local $pages i32)
    (loop $more
      (if (i32.ne (memory.grow (i32.const 3)) (i32.const -1)) (then
        (memory.fill (i32.shl (memory.size) (i32.const 4)) (i32.const 7) (i32.const 1000))
        (drop (table.grow $t (ref.null func) (i32.const 11)))
        (br $more))))
    (call_indirect $t (type $none) (table.size $t)) ${NOTHING}`,
});

/** Logs as often as it may and more, and reads its config each time. */
const hostCalls = guest({
  imports: `(import ${HOST} "log" (func $log (param i32 i32 i32))) (import ${HOST} "config" (func $config (param i32)))`,
  handle: `(local $i i32)
    (loop $next
      (call $config (i32.const 32))
      (call $log (i32.rem_u (local.get $i) (i32.const 4)) (i32.load (i32.const 32)) (i32.load (i32.const 36)))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 12))))
    (call $answer (i32.const 0) (local.get $ptr) (local.get $len))`,
});

/** Calls through a table, branches by a table, copies what overlaps, and then divides by zero. */
const tables = guest({
  fields: `(type $op (func (param i32 i32) (result i32))) (table funcref (elem $add $mul $sub))
    (func $add (type $op) (i32.add (local.get 0) (local.get 1)))
    (func $mul (type $op) (i32.mul (local.get 0) (local.get 1)))
    (func $sub (type $op) (i32.sub (local.get 0) (local.get 1)))`,
  handle: `(local $i i32) (local $x i32)
    (loop $next
      (local.set $x (call_indirect (type $op) (local.get $x) (local.get $i) (i32.rem_u (local.get $i) (i32.const 3))))
      (block $c (block $b (block $a (br_table $a $b $c (i32.and (local.get $x) (i32.const 3))))
        (memory.copy (i32.const 2048) (i32.const 2050) (i32.const 100)))
        (memory.copy (i32.const 2050) (i32.const 2048) (i32.const 100)))
      (i32.store (i32.const 2048) (local.get $x))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 400))))
    (drop (i32.div_u (local.get $x) (i32.sub (local.get $i) (i32.const 400)))) ${NOTHING}`,
});

/** What it takes to log the event: `HOST_CALL_FUEL`, its text in and out, and the guest's own instructions. */
const LOG_FUEL = 4202;
const JSON_EVENT = '{"event":"preToolCall","text":"é中😀"}';

/** The figures were taken from a run: what counts is that no engine, compiler or process ever gives others. */
export const CASES: Record<string, Case> = {
  "the example auto-approve": example(
    "auto-approve",
    "list",
    { fuel: 44_254, digest: "e177ac8d2da3552d" },
    { commands: ["git status *", "git log *", "git diff *", "git branch --show-current", "ls *", "pwd"] },
  ),
  "the example no-force-push": example("no-force-push", "inner-shell", {
    fuel: 35_848,
    digest: "50aae90bf6cd8c89",
  }),
  "the example pin-context": example(
    "pin-context",
    "question",
    { fuel: 19_138, digest: "f5472235293c32ab" },
    { text: ["Use npm, not yarn.", "Tests run with: npm test"] },
  ),
  "the example protect-paths": example(
    "protect-paths",
    "around-the-cwd",
    { fuel: 52_567, digest: "7a590f812b6a3af6" },
    { paths: ["secrets", "**/.env", "/etc"], tools: ["fs_write", "multi_edit"] },
  ),
  "the example redact-secrets": example(
    "redact-secrets",
    "nested",
    { fuel: 56_747, digest: "6965b80b817a3813" },
    { literals: ["hunter2-and-more"] },
  ),
  "floating-point arithmetic, NaNs included": {
    component: text(floats),
    event: "",
    fuel: 69_364,
    digest: "ae3bcc534b01f08e",
  },
  "vectors, NaNs included": { component: text(vectors), event: "", fuel: 34_860, digest: "dca497b68c8f6e9d" },
  "exceptions through many frames": {
    component: text(exceptions),
    event: "",
    fuel: 448_819,
    digest: "465ab19194539a06",
  },
  "growth up to the limits, and a trap": {
    component: text(growth),
    event: "",
    limits: { memoryBytes: 4 * 1024 * 1024 },
    fuel: 258_485,
    digest: "6cc9374adccd896a",
  },
  "calls to the host, and a log that is cut": {
    component: text(hostCalls),
    event: JSON_EVENT,
    config: { text: "é中😀".repeat(3) },
    limits: { logsBytes: 200 },
    fuel: 98_196,
    digest: "89fa8cf48a741b76",
  },
  "calls and branches by table, and a trap in mid-block": {
    component: text(tables),
    event: "",
    fuel: 54_433,
    digest: "d449c83cf124b651",
  },
  "calls nested to the cap on their depth": {
    component: text(guests.recurseGuest),
    event: "",
    fuel: 40_980,
    digest: "e464b8fdfd6e22e5",
  },
  "a loop that ends with its fuel": {
    component: text(guests.loopGuest),
    event: "",
    limits: { fuel: 10_000 },
    fuel: 10_000,
    digest: "e7b769945037b9df",
  },
  "exactly the fuel that is needed": {
    component: text(guests.logGuest),
    event: JSON_EVENT,
    limits: { fuel: LOG_FUEL },
    fuel: 4_202,
    digest: "cd443922bef3de1d",
  },
  "one unit less than is needed": {
    // With a type more, so that to the engine it is no module that it has optimised already.
    component: text(guests.logGuest.replace("(module", "(module (type (func (param i64))) ")),
    event: JSON_EVENT,
    limits: { fuel: LOG_FUEL - 1 },
    fuel: 4_201,
    digest: "514b07c5558ac5f6",
  },
  "memory that does not suffice": {
    component: text(guests.growGuest),
    event: "",
    limits: { memoryBytes: 1024 * 1024 },
    fuel: 135_923,
    digest: "590cdd998eaecab3",
  },
  "a WASI command with all that it gets of a system": {
    component: () => componentFromWat(system),
    event: JSON_EVENT,
    fuel: 57_043,
    digest: "02b74fa5ab76580c",
  },
  "strings of UTF-16": {
    component: () => utf16HookComponent(guests.echoGuest),
    event: `${JSON_EVENT}\ud800`,
    fuel: 262,
    digest: "23879d86ce85edef",
  },
};
