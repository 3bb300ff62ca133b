import { ValueTypes } from "#src/sandbox/binary/core-types";
import { FUNCTION_NAMES, signatureOf } from "#src/sandbox/wasi/preview1/signatures";
import { callingAll } from "../../sandbox/wasi/preview1/specification.js";
import { command, sayingCommand, TEXT } from "../../support/commands.js";
import { componentFromWat } from "../../support/components.js";
import { Family, type Source } from "../hostile.js";

const program = (start: string, parts: { fields?: string; text?: string; pages?: number } = {}): Source => {
  return () => componentFromWat(command({ ...parts, start }));
};
const module =
  (fields: string): Source =>
  () =>
    componentFromWat(`(module ${fields})`);
const forEver = (body: string) => `(loop $again ${body} (br $again))`;

const MEMORY = '(memory (export "memory") 1)';
const START = '(func (export "_start"))';
/** At 16: a list of 1024 buffers, each of 64 KiB, all at the same address. */
const MANY_BUFFERS = `
  (loop $next
    (i32.store offset=20 (i32.shl (local.get $i) (i32.const 3)) (i32.const 65536))
    (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1024))))`;
const write = (fd: number, buffers: number) =>
  `(drop (call $fd_write (i32.const ${fd}) (i32.const 16) (i32.const ${buffers}) (i32.const 8)))`;
const poll = (count: number | string) =>
  `(drop (call $poll_oneoff (i32.const 0) (i32.const 0) (i32.const ${count}) (i32.const 60000)))`;

/** Calls every function but the one that exits with this for each parameter. */
function callsAllWith(value: string): string {
  const calls = FUNCTION_NAMES.filter((name) => name !== "proc_exit").map((name) => {
    const parameters = signatureOf(name).params.map(
      (type) => `(${type === ValueTypes.i64 ? "i64" : "i32"}.const ${value})`,
    );
    return `(drop (call $${name} ${parameters.join(" ")}))`;
  });
  return calls.join(" ");
}

/** Programs that want more of a system than there is. */
export const wasiCommands = new Family("wasi-commands")
  .refused("core-module", {
    "a reactor": { guest: module(`${MEMORY} (func (export "_initialize"))`), because: "reactor" },
    "a command and a reactor": module(`${MEMORY} ${START} (func (export "_initialize"))`),
    "a start that takes something": module(`${MEMORY} (func (export "_start") (param i32))`),
    "a program without a memory": module(START),
  })
  .refused("import-refused", {
    "a function of the host's own": module(`(import "env" "system" (func (param i32))) ${MEMORY} ${START}`),
    "an older WASI": module(`(import "wasi_unstable" "fd_read" (func)) ${MEMORY} ${START}`),
    threads: module(`(import "wasi" "thread-spawn" (func (param i32) (result i32))) ${MEMORY} ${START}`),
    "a memory of the host's": module(
      '(import "env" "memory" (memory (;0;) 1)) (export "memory" (memory 0)) (func (export "_start"))',
    ),
    "a function of another type": module(
      `(import "wasi_snapshot_preview1" "fd_read" (func (result i64))) ${MEMORY} ${START}`,
    ),
    "a function that there is not": module(
      `(import "wasi_snapshot_preview1" "proc_exec" (func)) ${MEMORY} ${START}`,
    ),
  })
  .refused("name-refused", {
    "the meter's counter": module(`(import "wasmhook:meter" "fuel" (global (mut i64))) ${MEMORY} ${START}`),
  })
  .fails("out-of-fuel", {
    "random numbers for ever": program(forEver("(drop (call $random_get (i32.const 0) (i32.const 65536)))")),
    "sleep for ever": program(forEver(`(i64.store (i32.const 24) (i64.const -1)) ${poll(1)}`)),
    "a thousand subscriptions, for ever": program(forEver(poll(1024))),
    "yields for ever": program(forEver("(drop (call $sched_yield))")),
    "a clock that is asked for ever": program(
      forEver("(drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 0)))"),
    ),
    "a stdin that is read for ever": program(
      forEver("(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8)))"),
    ),
    "a stderr for ever": program(`${MANY_BUFFERS} ${forEver(write(2, 1024))}`, { pages: 2 }),
    "a stderr of empty lists for ever": program(forEver(write(2, 0))),
    "an exit that cannot be paid": {
      guest: program("(call $proc_exit (i32.const 0))"),
      limits: { fuel: 4000 },
    },
    "the wait for a time that never comes": program(
      `(i64.store (i32.const 24) (i64.const 1)) ${forEver(poll(1))}`,
    ),
  })
  .fails("output-too-large", {
    "a stdout for ever": program(`${MANY_BUFFERS} ${forEver(write(1, 1))}`, { pages: 2 }),
    "thirty megabytes of the same buffer": program(`${MANY_BUFFERS} ${write(1, 500)}`, { pages: 2 }),
  })
  .fails("bad-output", {
    "an exit with 0 after half a character": program(
      `(i32.store8 (i32.const ${TEXT}) (i32.const 0xc3))
       (call $write (i32.const 1) (i32.const ${TEXT}) (i32.const 1)) (call $proc_exit (i32.const 0))`,
      { text: "." },
    ),
  })
  .fails("command-failed", {
    "an exit within a handler that would go on": program(
      `try (call $proc_exit (i32.const 3)) catch_all end ${forEver("")}`,
    ),
    "an exit with as large a code as there is": program("(call $proc_exit (i32.const -1))"),
    "an exit before the start": program(forEver(""), {
      fields: "(func $early (call $proc_exit (i32.const 3))) (start $early)",
    }),
  })
  .fails("bad-decision", {
    "two decisions": () => componentFromWat(sayingCommand({ stdout: "{}{}" })),
    "the errors of all that it tried": program(callingAll().start, { fields: callingAll().fields }),
  })
  .fails("out-of-memory", {
    "an allocator that gives up": program(
      forEver("(if (i32.eq (memory.grow (i32.const 1)) (i32.const -1)) (then (unreachable)))"),
    ),
  })
  .survives({
    "pointers and descriptors of all ones": { guest: program(callsAllWith("-1")) },
    "pointers to the end of the memory": { guest: program(callsAllWith("65535")) },
    "counts of two thousand million": { guest: program(callsAllWith("0x7fffffff")) },
    "more subscriptions than there are": { guest: program(poll("0xffffffff")) },
    "no subscription": { guest: program(poll(0)) },
    "streams that are closed, and used then": {
      guest: program(
        `${[0, 1, 2].map((fd) => `(drop (call $fd_close (i32.const ${fd})))`).join(" ")} ${write(1, 1)} ${write(2, 1)}`,
      ),
    },
    "a decision by way of another descriptor": {
      guest: program(
        `(drop (call $fd_renumber (i32.const 1) (i32.const 2)))
         (call $write (i32.const 2) (i32.const ${TEXT}) (i32.const 17))`,
        { text: '{"action":"deny"}' },
      ),
      outcome: { decision: "deny" },
    },
    "a hundred thousand lines of log": {
      guest: program(
        `(loop $next (call $write (i32.const 2) (i32.const ${TEXT}) (i32.const 5000))
           (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 20))))`,
        { text: "\n".repeat(5000) },
      ),
    },
  });
