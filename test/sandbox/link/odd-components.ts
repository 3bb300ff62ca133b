import { guest } from "../../support/guests.js";
import { HANDLE_TYPE } from "../../support/handler.js";
import { NOTHING } from "../run-guest.js";

const HANDLER = "wasmhook:hook/handler@1.0.0";

/** The types of the host, for an import or a nested component's argument. */
const HOST_TYPE = `
  (type $levels (enum "debug" "info" "warn" "error"))
  (export "level" (type $level (eq $levels)))
  (export "log" (func (param "level" $level) (param "message" string)))
  (export "config" (func (result string)))`;

/** Imports the host as `$host`, and its functions as `$log` and `$config`. */
export const HOST = `
  (import "wasmhook:hook/host@1.0.0" (instance $host ${HOST_TYPE}))
  (alias export $host "log" (func $log))
  (alias export $host "config" (func $config))`;

/** A core module under a name, from the text of one without. */
export function core(name: string, wat: string): string {
  return wat.replace("(module", `(core module ${name}`);
}

/** The options of text in the memory of a core instance. */
export function text(instance: string, encoding = "utf8"): string {
  return `string-encoding=${encoding} (memory (core memory ${instance} "memory")) (realloc (core func ${instance} "cabi_realloc"))`;
}

/** Lifts the handler of a core instance, as `$handle`. */
export function lift(instance: string, options = text(instance)): string {
  return `(func $handle ${HANDLE_TYPE} (canon lift (core func ${instance} "${HANDLER}#handle") ${options}))`;
}

export const EXPORT = `
  (instance $handler (export "handle" (func $handle)))
  (export "${HANDLER}" (instance $handler))`;

const ECHO = "(call $answer (i32.const 0) (local.get $ptr) (local.get $len))";
const LOG_EVENT = "(call $log (i32.const 1) (local.get $ptr) (local.get $len))";
const IMPORTS = `(import "host" "log" (func $log (param i32 i32 i32))) (import "host" "config" (func $config (param i32)))`;
const TALKER = guest({
  imports: IMPORTS,
  handle: `${LOG_EVENT} (call $config (i32.const 32))
  (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36)))`,
});

/** A module that is there for its memory and its allocator. */
const MEMORY = guest({ handle: "unreachable" });

/** Lowers the host's functions over the memory of a core instance, as the bag `$lowered`. */
export function lower(instance: string, encoding = "utf8"): string {
  return `
    (core func $log' (canon lower (func $log) ${text(instance, encoding)}))
    (core func $config' (canon lower (func $config) ${text(instance, encoding)}))
    (core instance $lowered (export "log" (func $log')) (export "config" (func $config')))`;
}

/** A handler whose module imports its memory and its allocator from another. */
function borrowing(handle: string, imports = ""): string {
  return `(module ${imports}
    (import "memory" "memory" (memory 1))
    (func $answer (param $case i32) (param $ptr i32) (param $len i32) (result i32)
      (i32.store (i32.const 16) (local.get $case))
      (i32.store offset=4 (i32.const 16) (local.get $ptr))
      (i32.store offset=8 (i32.const 16) (local.get $len))
      (i32.const 16))
    (func (export "${HANDLER}#handle") (param $ptr i32) (param $len i32) (result i32) ${handle}))`;
}

const BORROWER = `
  ${core("$memory", MEMORY)} (core instance $memory (instantiate $memory))`;

/** A counter, of which each instance keeps its own. */
const COUNTER = `(core module $counter
  (global $n (mut i32) (i32.const 48))
  (func (export "next") (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n)))`;

/** A resource, and a hook whose module imports its functions as `$new`, `$drop` and `$rep`. */
export function resource(handle: string, dtor = "", { fields = "", options = "" } = {}): string {
  return `
    (core module $d (global $n (export "n") (mut i32) (i32.const 0))
      (func (export "dtor") (param i32) (global.set $n (i32.add (global.get $n) (local.get 0))) ${dtor}))
    (core instance $d (instantiate $d))
    (type $r (resource (rep i32) (dtor (core func $d "dtor"))))
    (core func $new (canon resource.new $r)) (core func $drop (canon resource.drop $r))
    (core func $rep (canon resource.rep $r))
    (core instance $r (export "new" (func $new)) (export "drop" (func $drop)) (export "rep" (func $rep)))
    ${core(
      "$m",
      guest({
        imports: `(import "r" "new" (func $new (param i32) (result i32))) (import "r" "drop" (func $drop (param i32)))
          (import "r" "rep" (func $rep (param i32) (result i32))) (import "d" "n" (global $n (mut i32)))`,
        fields,
        handle,
      }),
    )}
    (core instance $main (instantiate $m (with "r" (instance $r)) (with "d" (instance $d))))
    ${lift("$main", `${text("$main")} ${options}`)} ${EXPORT}`;
}

/** A component that holds a whole hook, to be nested. */
const INNER = `${core("$m", guest({ handle: ECHO }))} (core instance $main (instantiate $m)) ${lift("$main")} ${EXPORT}`;

/** Components that are hooks, and that no toolchain would make, by what is odd about them. */
export const ODD: Readonly<Record<string, string>> = {
  "no host": INNER,
  "a host that nobody asks": `${HOST} ${INNER}`,
  "a host of which a part is imported": `(import "wasmhook:hook/host@1.0.0" (instance $host (export "config" (func (result string))))) ${INNER}`,
  "a memory that is another module's": `${BORROWER} ${core("$m", borrowing(ECHO))}
    (core instance $main (instantiate $m (with "memory" (instance $memory))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "host functions over a memory that is another module's": `${HOST} ${BORROWER} ${lower("$memory")}
    ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, IMPORTS))}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "a start function that talks to the host": `${HOST} ${BORROWER} ${lower("$memory")}
    (core module $s ${IMPORTS}
      (func $start (call $config (i32.const 8)) (call $log (i32.const 2) (i32.const 0) (i32.const 3)))
      (start $start))
    (core instance (instantiate $s (with "host" (instance $lowered))))
    ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, IMPORTS))}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "two instances of one module": `${COUNTER}
    (core instance $a (instantiate $counter)) (core instance $b (instantiate $counter))
    ${core(
      "$m",
      guest({
        imports: `(import "a" "next" (func $a (result i32))) (import "b" "next" (func $b (result i32)))`,
        textBytes: 4,
        handle: `(i32.store8 (i32.const 1024) (call $a)) (i32.store8 (i32.const 1025) (call $a))
          (i32.store8 (i32.const 1026) (call $b)) (i32.store8 (i32.const 1027) (call $a))
          (call $answer (i32.const 0) (i32.const 1024) (i32.const 4))`,
      }),
    )}
    (core instance $main (instantiate $m (with "a" (instance $a)) (with "b" (instance $b))))
    ${lift("$main")} ${EXPORT}`,
  "two instances of the hook, of which the second answers": `${core("$m", guest({ handle: ECHO }))}
    (core instance (instantiate $m)) (core instance $main (instantiate $m)) ${lift("$main")} ${EXPORT}`,
  "every kind of item in a bag": `
    (core module $items
      (memory (export "m") 1) (table (export "t") 2 funcref) (global (export "g") (mut i32) (i32.const 7))
      (func $f (result i32) (i32.const 33)) (elem (i32.const 1) $f))
    (core instance $items (instantiate $items))
    (alias core export $items "m" (core memory $im)) (alias core export $items "t" (core table $it))
    (alias core export $items "g" (core global $ig))
    (core instance $bag (export "memory" (memory $im)) (export "table" (table $it)) (export "global" (global $ig)))
    ${core(
      "$m",
      guest({
        imports: `(import "bag" "table" (table $t 1 funcref)) (import "bag" "global" (global $g (mut i32)))`,
        fields: "(type $i (func (result i32)))",
        textBytes: 1,
        handle: `(global.set $g (i32.add (global.get $g) (call_indirect $t (type $i) (i32.const 1))))
          (i32.store8 (i32.const 1024) (global.get $g))
          (call $answer (i32.const 0) (i32.const 1024) (i32.const 1))`,
      }),
    )}
    (core instance $main (instantiate $m (with "bag" (instance $bag)))) ${lift("$main")} ${EXPORT}`,
  "a host function that a module hands on": `${HOST} ${BORROWER} ${lower("$memory")}
    (core module $through (import "host" "log" (func $l (param i32 i32 i32))) (export "log" (func $l)))
    (core instance $through (instantiate $through (with "host" (instance $lowered))))
    ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, `(import "host" "log" (func $log (param i32 i32 i32)))`))}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $through))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "the same host function lowered twice, in two encodings": `${HOST} ${BORROWER} ${lower("$memory")}
    (core func $wide (canon lower (func $log) ${text("$memory", "utf16")}))
    (core instance $w (export "log" (func $wide)))
    ${core(
      "$m",
      borrowing(
        `${LOG_EVENT} (call $wide (i32.const 3) (local.get $ptr) (i32.const 1)) ${ECHO}`,
        `${IMPORTS} (import "wide" "log" (func $wide (param i32 i32 i32)))`,
      ),
    )}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered)) (with "wide" (instance $w))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "an event in UTF-8 and a log in UTF-16": `${HOST} ${BORROWER} ${lower("$memory", "utf16")}
    ${core("$m", borrowing(`(call $log (i32.const 1) (local.get $ptr) (i32.const 1)) ${ECHO}`, IMPORTS))}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "a hook within a component that hands it on": `(component $inner ${INNER}) (instance $i (instantiate $inner))
    (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`,
  "a hook within a component within a component": `(component $outer (component $inner ${INNER}) (instance $i (instantiate $inner))
      (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h)))
    (instance $o (instantiate $outer)) (alias export $o "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`,
  "a core module and a component of the scope outside": `${core("$m", guest({ handle: ECHO }))}
    (component $lifter (alias outer 1 $m (core module $mine)) (core instance $main (instantiate $mine)) ${lift("$main")} ${EXPORT})
    (component $outer (alias outer 1 $lifter (component $mine)) (instance $i (instantiate $mine))
      (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h)))
    (instance $o (instantiate $outer)) (alias export $o "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`,
  "the host as an argument of a component": `${HOST}
    (component $inner
      (import "given" (instance $host ${HOST_TYPE}))
      (alias export $host "log" (func $log)) (alias export $host "config" (func $config))
      ${BORROWER} ${lower("$memory")} ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, IMPORTS))}
      (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
      ${lift("$main", text("$memory"))} ${EXPORT})
    (instance $i (instantiate $inner (with "given" (instance $host))))
    (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`,
  "the host's functions as arguments of a component, in a bag": `${HOST}
    (alias export $host "level" (type $level))
    (instance $bag (export "level" (type $level)) (export "log" (func $log)) (export "config" (func $config)))
    (component $inner
      (import "given" (instance $host ${HOST_TYPE}))
      (alias export $host "log" (func $log)) (alias export $host "config" (func $config))
      ${BORROWER} ${lower("$memory")} ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, IMPORTS))}
      (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
      ${lift("$main", text("$memory"))} ${EXPORT})
    (instance $i (instantiate $inner (with "given" (instance $bag))))
    (alias export $i "${HANDLER}" (instance $h)) (export "${HANDLER}" (instance $h))`,
  "a shim that hands the handler on through two components": `${core("$m", guest({ handle: ECHO }))}
    (core instance $main (instantiate $m)) ${lift("$main")}
    (component $shim (import "f" (func $f ${HANDLE_TYPE})) (export "f" (func $f)))
    (instance $a (instantiate $shim (with "f" (func $handle)))) (alias export $a "f" (func $f1))
    (instance $b (instantiate $shim (with "f" (func $f1)))) (alias export $b "f" (func $f2))
    (instance $handler (export "handle" (func $f2))) (export "${HANDLER}" (instance $handler))`,
  "types, a resource, a component and a core module that nobody uses": `
    (type (record (field "a" u8))) (type (func)) (core type (func (param i64)))
    (type (resource (rep i32))) (component (core module (func unreachable))) (core module (func unreachable))
    (func (canon lift (core func $main' "f")))
    ${INNER}`.replace(
    "(func (canon lift",
    `(core module $x (func (export "f"))) (core instance $main' (instantiate $x)) (func (canon lift`,
  ),
  "a post-return that is given the answer's address": `${core(
    "$m",
    guest({
      fields: `(func (export "post") (param i32) (if (i32.ne (local.get 0) (i32.const 16)) (then unreachable)))`,
      handle: ECHO,
    }),
  )}
    (core instance $main (instantiate $m))
    ${lift("$main", `${text("$main")} (post-return (core func $main "post"))`)} ${EXPORT}`,
  "a realloc where none is needed": `${HOST} ${BORROWER}
    (core func $log' (canon lower (func $log) ${text("$memory")}))
    (core instance $lowered (export "log" (func $log')))
    ${core("$m", borrowing(`${LOG_EVENT} ${ECHO}`, `(import "host" "log" (func $log (param i32 i32 i32)))`))}
    (core instance $main (instantiate $m (with "memory" (instance $memory)) (with "host" (instance $lowered))))
    ${lift("$main", text("$memory"))} ${EXPORT}`,
  "a talker linked through a table, as toolchains do": `${HOST}
    (core module $shim (table (export "$imports") 2 funcref)
      (type $l (func (param i32 i32 i32))) (type $c (func (param i32)))
      (func (export "log") (param i32 i32 i32) (call_indirect (type $l) (local.get 0) (local.get 1) (local.get 2) (i32.const 0)))
      (func (export "config") (param i32) (call_indirect (type $c) (local.get 0) (i32.const 1))))
    (core instance $shim (instantiate $shim))
    ${core("$m", TALKER)}
    (core instance $main (instantiate $m (with "host" (instance $shim))))
    ${lower("$main")}
    (core module $fixup (import "shim" "$imports" (table 2 funcref))
      (import "host" "log" (func $l (param i32 i32 i32))) (import "host" "config" (func $c (param i32)))
      (elem (i32.const 0) func $l $c))
    (core instance (instantiate $fixup (with "shim" (instance $shim)) (with "host" (instance $lowered))))
    ${lift("$main")} ${EXPORT}`,
  "resources that are made, read and dropped": resource(`
    (local $a i32) (local $b i32)
    (local.set $a (call $new (i32.const 40))) (local.set $b (call $new (i32.const 9)))
    (if (i32.eq (local.get $a) (local.get $b)) (then unreachable))
    (if (i32.ne (call $rep (local.get $b)) (i32.const 9)) (then unreachable))
    (call $drop (local.get $a))
    (if (i32.ne (global.get $n) (i32.const 40)) (then unreachable))
    (drop (call $new (i32.const 1))) (call $drop (local.get $b))
    (i32.store8 (i32.const 8) (global.get $n))
    (call $answer (i32.const 0) (i32.const 8) (i32.const 1))`),
};

/** The same of those that end in a failure. */
export const FAILING: Readonly<Record<string, string>> = {
  "a post-return that traps": `${core(
    "$m",
    guest({ fields: `(func (export "post") (param i32) unreachable)`, handle: ECHO }),
  )}
    (core instance $main (instantiate $m))
    ${lift("$main", `${text("$main")} (post-return (core func $main "post"))`)} ${EXPORT}`,
  "a handle that was never given": resource(`(drop (call $rep (i32.const 77))) ${NOTHING}`),
  "a handle of 0": resource(`(call $drop (i32.const 0)) ${NOTHING}`),
  "a handle that is dropped twice":
    resource(`(local $h i32) (call $drop (local.tee $h (call $new (i32.const 1))))
    (call $drop (local.get $h)) ${NOTHING}`),
  "a destructor that traps": resource(`(call $drop (call $new (i32.const 1))) ${NOTHING}`, "unreachable"),
};
