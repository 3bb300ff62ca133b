import { BUMP } from "../../support/guests.js";
import { answers, CONFIG, does, Family, LOG } from "../hostile.js";

const SPIN = "(loop $spin (br $spin))";
const GET_CONFIG = "(call $config (i32.const 32))";
const ARMED = "(global $armed (mut i32) (i32.const 0))";
const ARM = "(global.set $armed (i32.const 1))";
const allocates = (realloc: string) => does("", { realloc });

/** `cabi_realloc` is called by the host: it may do anything and answer anything. */
export const allocator = new Family("allocator")
  .fails("out-of-fuel", {
    "an allocator that never ends": allocates(`${SPIN} (i32.const 0)`),
    "an allocator that never ends while the config is passed": {
      guest: does(`${ARM} ${GET_CONFIG}`, {
        imports: CONFIG,
        fields: ARMED,
        realloc: `(if (global.get $armed) (then ${SPIN})) ${BUMP}`,
      }),
      config: { a: 1 },
    },
    "an allocator that fills the memory for ever": allocates(
      "(loop $again (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536)) (br $again)) (i32.const 0)",
    ),
  })
  .fails("trap", {
    "an allocator that traps": allocates("unreachable"),
    "an allocator that traps while the config is passed": does(`${ARM} ${GET_CONFIG}`, {
      imports: CONFIG,
      fields: ARMED,
      realloc: `(if (global.get $armed) (then (unreachable))) ${BUMP}`,
    }),
  })
  .fails("out-of-memory", {
    "an allocator that grows the memory for ever": allocates(
      "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable",
    ),
  })
  .fails("bad-output", {
    "an allocator that answers an address beyond the memory": allocates("(i32.const -8)"),
    "an allocator that answers the last address of the memory": allocates("(i32.const 65535)"),
    "an allocator that answers the end of the memory": allocates("(i32.const 65536)"),
    "an allocator that answers -1": allocates("(i32.const -1)"),
    "an allocator that answers beyond the memory while the config is passed": {
      guest: does(`${ARM} ${GET_CONFIG}`, {
        imports: CONFIG,
        fields: ARMED,
        realloc: `(if (global.get $armed) (then (return (i32.const -4)))) ${BUMP}`,
      }),
      config: { a: 1 },
    },
    "an allocator that has room for half of the event": allocates(
      "(i32.sub (i32.const 65536) (i32.shr_u (local.get $len) (i32.const 1)))",
    ),
    "a place for the config's address that is beyond the memory": does("(call $config (i32.const -4))", {
      imports: CONFIG,
    }),
    "a place for the config's address that crosses the end of the memory": does(
      "(call $config (i32.const 65532))",
      { imports: CONFIG },
    ),
    "a place for the config's address that is not aligned": does("(call $config (i32.const 33))", {
      imports: CONFIG,
    }),
  })
  .survives({
    "an allocator that answers null, which is an address like any other": {
      guest: answers("(call $answer (i32.const 0) (local.get $ptr) (i32.const 0))", {
        realloc: "(i32.const 0)",
      }),
    },
    "an allocator that gives the same place to the event and to the config": {
      guest: answers(
        `${GET_CONFIG} (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36)))`,
        { imports: CONFIG, realloc: "(i32.const 4096)" },
      ),
      config: { action: "deny", reason: "same place" },
      outcome: { decision: "deny", reason: "same place" },
    },
    "an allocator that grows the memory at each call, so that the host's view of it is stale": {
      guest: answers(
        `${GET_CONFIG} (call $answer (i32.const 0) (i32.load (i32.const 32)) (i32.load (i32.const 36)))`,
        {
          imports: CONFIG,
          realloc: "(i32.shl (memory.grow (i32.const 8)) (i32.const 16))",
        },
      ),
      config: { action: "deny", reason: "grown" },
      outcome: { decision: "deny", reason: "grown" },
    },
    "an allocator that writes over what the host is about to write": does("", {
      realloc: "(memory.fill (i32.const 0) (i32.const 255) (i32.const 65536)) (i32.const 4096)",
    }),
  })
  .fails("trap", {
    "an allocator that calls the host while the host passes the event": {
      guest: does("", {
        imports: LOG,
        realloc: "(call $log (i32.const 0) (i32.const 0) (i32.const 0)) (i32.const 4096)",
      }),
      because: "cannot leave component instance",
    },
    "an allocator that asks for the config while the host passes the config": {
      guest: does(GET_CONFIG, { imports: CONFIG, realloc: `${GET_CONFIG} ${BUMP}` }),
      because: "cannot leave component instance",
    },
  });
