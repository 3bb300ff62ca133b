import { guest } from "../../support/guests.js";
import { component, does, Family, lifted, NOTHING, named, type Source, unchecked } from "../hostile.js";

const SPIN = "(loop $spin (br $spin))";
const METER = "wasmhook:meter";
const GOOD = named("$good", guest({ handle: NOTHING }));
const MAIN = `(core instance $main (instantiate $good)) ${lifted("$main")}`;

/** A module that gets another's whole bag of exports, whatever is in it. */
const holding = (name: string, holder: string, user: string): Source =>
  component(`${GOOD} (core module $holder ${holder}) (core module $user ${user})
    (core instance $bag (instantiate $holder))
    (core instance $u (instantiate $user (with "${name}" (instance $bag)))) ${MAIN}`);

/** A module that no tool would make. */
const wrong = (handle: string, fields = "") => unchecked(guest({ handle, fields }));

const FUEL = '(global (export "fuel") (mut i64) (i64.const 1000000000000))';

/** Names, imports and globals that reach for the counter of the fuel. */
export const counter = new Family("counter")
  .refused("name-refused", {
    "an import of the counter's own name": holding(
      METER,
      FUEL,
      `(import "${METER}" "fuel" (global (mut i64)))`,
    ),
    "an import of a name beneath the counter's": holding(
      `${METER}2`,
      FUEL,
      `(import "${METER}2" "fuel" (global (mut i64)))`,
    ),
    "an export of the counter's own name": component(
      `${GOOD} (core module (global (export "${METER}") (mut i64) (i64.const 0))) ${MAIN}`,
    ),
    "a bag of exports of the counter's own name": component(
      `${GOOD} (core module $x (global (export "g") (mut i64) (i64.const 0))) (core instance $x (instantiate $x))
      (alias core export $x "g" (core global $g)) (core instance (export "${METER}" (global $g))) ${MAIN}`,
    ),
    "an alias of the counter's own name": component(
      `${GOOD} (core module $x (global (export "g") (mut i64) (i64.const 0))) (core instance $x (instantiate $x))
      (alias core export $x "${METER}" (core global)) ${MAIN}`,
    ),
    "the counter's name as that of a component's import": component(
      `(import "${METER}/a@1.0.0" (instance)) ${GOOD} ${MAIN}`,
    ),
  })
  .fails("out-of-fuel", {
    "globals called fuel, set to much, before a loop that never ends": does(
      `(global.set $fuel (i64.const 0x7fffffffffffffff)) ${SPIN}`,
      { fields: '(global $fuel (export "fuel") (mut i64) (i64.const 0x7fffffffffffffff))' },
    ),
    "every global set again and again": does(
      "(loop $again (global.set 0 (i32.const 100)) (global.set 1 (i64.const -1)) (global.set 2 (i64.const 0x7fffffffffffffff)) (br $again))",
      { fields: "(global (mut i64) (i64.const 0)) (global (mut i64) (i64.const 0))" },
    ),
    "a loop in a module that was metered before, with a counter of its own": does(
      `(loop $again
        (global.set $f (i64.sub (global.get $f) (i64.const 5)))
        (if (i64.lt_s (global.get $f) (i64.const 0)) (then (global.set $f (i64.const 1000000))))
        (br $again))`,
      { fields: '(global $f (export "wasmer_metering_remaining_points") (mut i64) (i64.const 1000000))' },
    ),
    "a section that says that it is metered already": does(SPIN, {
      fields: '(@custom "wasmhook.metered" "1") (@custom "metering" "fuel=unlimited")',
    }),
    "a name section that lies, and producers of another toolchain": does(SPIN, {
      fields:
        '(@custom "producers" "\\01\\0cprocessed-by\\01\\08wasmhook\\051.0.0") (@custom "name" (before first) "\\00\\05\\04fuel")',
    }),
    "a module that sets the globals that another one exports, and loops": holding(
      "env",
      `${FUEL} (global (export "pages") (mut i32) (i32.const 100000)) (global (export "refused") (mut i32) (i32.const 0))`,
      `(import "env" "fuel" (global $f (mut i64))) (import "env" "pages" (global $p (mut i32)))
      (func $s (loop $again (global.set $f (i64.const 1000000)) (global.set $p (i32.const 1000)) (br $again))) (start $s)`,
    ),
    "half of the fuel each in two core modules, three times": component(
      `(core module $burns (func $s (local $n i32) (loop $again
        (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 5500000))))) (start $s))
      (core instance (instantiate $burns)) (core instance (instantiate $burns)) (core instance (instantiate $burns))
      ${GOOD} ${MAIN}`,
    ),
  })
  .refused("module-refused", {
    "an index of a global beyond its own": {
      guest: wrong(`(global.set 1 (i32.const 0)) ${NOTHING}`),
      because: "global 1",
    },
    "an index of a function beyond its own": {
      guest: wrong(`(call 1000) ${NOTHING}`),
      because: "function 1000",
    },
    "an index of a type beyond its own": {
      guest: wrong(`(call_indirect (type 1000) (i32.const 0)) ${NOTHING}`, "(table 1 funcref)"),
      because: "type 1000",
    },
    "a local beyond its own": { guest: wrong(`(local.set 2 (i32.const 0)) ${NOTHING}`), because: "local 2" },
    "an export of a global beyond its own": {
      guest: wrong(NOTHING, '(export "g" (global 1))'),
      because: "global 1",
    },
    "an element that is a function beyond its own": {
      guest: wrong(NOTHING, "(table 9 funcref) (elem (i32.const 0) func 1000)"),
      because: "function 1000",
    },
    "a start function beyond its own": { guest: wrong(NOTHING, "(start 1000)"), because: "function 1000" },
    "a global in an initialiser that comes after it": {
      guest: wrong(NOTHING, "(global i32 (global.get 2))"),
      because: "global 2",
    },
  });
