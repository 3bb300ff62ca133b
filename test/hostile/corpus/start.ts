import { guest } from "../../support/guests.js";
import { component, does, Family, lifted, many, NOTHING, named } from "../hostile.js";

const SPIN = "(loop $spin (br $spin))";
const GOOD = guest({ handle: NOTHING });

/** Instantiates a module a number of times, and a good hook after it. */
const before = (times: number, fields: string) =>
  component(`(core module $bad ${fields}) ${named("$good", GOOD)}
    ${many(times, "(core instance (instantiate $bad))")}
    (core instance $main (instantiate $good)) ${lifted("$main")}`);

/** A start function that takes `units` of fuel, about. */
const burns = (units: number) =>
  `(func $burn (local $n i32) (loop $again
    (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const ${Math.floor(units / 7)}))))) (start $burn)`;

/** What runs before the handler is called. */
export const start = new Family("start")
  .fails("out-of-fuel", {
    "a start function that never ends": does("", { fields: `(func $s ${SPIN}) (start $s)` }),
    "a start function of another core module that never ends": before(1, `(func $s ${SPIN}) (start $s)`),
    "eight instances of a module, each of which takes a fifth of the fuel to start": before(
      8,
      burns(20_000_000),
    ),
    "a start function that fills all of the memory for ever": does("", {
      fields: `(func $s (loop $again (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536)) (br $again))) (start $s)`,
    }),
  })
  .fails("out-of-memory", {
    "a start function that grows the memory and traps": does("", {
      fields:
        "(func $s (loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) (unreachable)) (start $s)",
    }),
    "two core modules that are together larger than the limit from the start": before(1, "(memory 1024)"),
    "eight instances that are together larger than the limit": before(8, "(memory 150)"),
    "another core module that grows up to the limit before the hook gets its page": before(
      1,
      "(memory 0) (func $s (drop (memory.grow (i32.const 1024)))) (start $s)",
    ),
  })
  .fails("trap", {
    "a start function that traps": {
      guest: does("", { fields: "(func $s unreachable) (start $s)" }),
      because: "unreachable",
    },
    "a start function of another core module that traps": {
      guest: before(1, "(func $s unreachable) (start $s)"),
      because: "unreachable",
    },
    "a data segment of another core module beyond its memory": {
      guest: before(1, '(memory 1) (data (i32.const 65536) "a")'),
      because: "memory access",
    },
  })
  .refused("module-refused", {
    "nine instances of one module": { guest: before(9, ""), because: "moduleInstances" },
    "eight tables that are together larger than the limit": {
      guest: before(8, "(table 12501 funcref)"),
      because: "tableElements",
    },
    "eight memories of 256 MiB": { guest: before(8, "(memory 4096)"), because: "initialMemoryBytes" },
  });
