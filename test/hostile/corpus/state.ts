import { guest } from "../../support/guests.js";
import { CONFIG, does, Family, hook, must, NOTHING } from "../hostile.js";

/** Each must find everything as the module has it at the start: it is run twice, and traps where it does not. */
export const state = new Family("state").survives({
  "a global that is set for the next event": does(
    `${must("(i32.eqz (global.get $g))")} (global.set $g (i32.const 1))`,
    {
      fields: "(global $g (mut i32) (i32.const 0))",
    },
  ),
  "memory that is written for the next event": does(
    `${must("(i32.eqz (i32.load (i32.const 512)))")} (i32.store (i32.const 512) (i32.const 1))`,
  ),
  "memory that is grown for the next event": does(
    `${must("(i32.eq (memory.size) (i32.const 1))")} (drop (memory.grow (i32.const 10))) (i32.store (i32.const 600000) (i32.const 1))`,
  ),
  "a table that is filled for the next event": does(
    `${must("(ref.is_null (table.get $t (i32.const 0)))")} (table.set $t (i32.const 0) (ref.func $answer))`,
    { fields: "(table $t 1 funcref) (elem declare func $answer)" },
  ),
  "a table that is grown for the next event": does(
    `${must("(i32.eq (table.size $t) (i32.const 1))")} (drop (table.grow $t (ref.null func) (i32.const 100)))`,
    { fields: "(table $t 1 funcref)" },
  ),
  "a data segment that is dropped for the next event": does(
    "(memory.init $d (i32.const 512) (i32.const 0) (i32.const 1)) (data.drop $d)",
    { fields: '(data $d "a")' },
  ),
  "an element segment that is dropped for the next event": does(
    "(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1)) (elem.drop $e)",
    { fields: "(table $t 1 funcref) (elem $e func $answer)" },
  ),
  "an initialised global that is counted up by the start function": hook(
    guest({
      fields:
        "(global $g (mut i32) (i32.const 7)) (func $s (global.set $g (i32.add (global.get $g) (i32.const 1)))) (start $s)",
      handle: `${must("(i32.eq (global.get $g) (i32.const 8))")} ${NOTHING}`,
    }),
  ),
  "what another hook may have left in fresh memory": does(
    `(local $at i32) (drop (memory.grow (i32.const 63)))
    (loop $next
      ${must("(i64.eqz (i64.load offset=65536 (local.get $at)))")}
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 4128768))))`,
  ),
  "the random or the time, of which there is none: the config is all that differs": {
    guest: does("(call $config (i32.const 32))", { imports: CONFIG }),
    config: null,
  },
});
