import { guest } from "../../support/guests.js";
import { does, Family, hook, many, must, NOTHING, needing } from "../hostile.js";

const grow = (pages: string | number) => `(memory.grow (i32.const ${pages}))`;
const refusedGrowth = (pages: string | number) => must(`(i32.eq ${grow(pages)} (i32.const -1))`);

/** A guest whose memory has this type in place of one page. */
function withMemory(type: string, handle = NOTHING): string {
  return guest({ handle }).replace('(memory (export "memory") 1)', `(memory (export "memory") ${type})`);
}

/** Memory that is taken at the start, or grown. */
export const memory = new Family("memory")
  .refused("module-refused", {
    "a memory of 4 GiB from the start": { guest: hook(withMemory("65536")), because: "initialMemoryBytes" },
    "nine memories": {
      guest: does("", { fields: many(8, "(memory 0)") }),
      because: "memories",
    },
  })
  .unloadable("module-refused", {
    "a memory a page larger than its limit from the start": {
      guest: hook(withMemory("1025")),
      because: "pages",
    },
    "two memories that are together larger than the limit": {
      guest: does("", { fields: "(memory 512) (memory 512)" }),
      because: "pages",
    },
  })
  .fails("out-of-memory", {
    "growing by a page until there is no more, and then trapping": does(
      `(loop $again (br_if $again (i32.ne ${grow(1)} (i32.const -1)))) (unreachable)`,
    ),
    "asking for 4 GiB, and then trapping": does(`(drop ${grow(65_535)}) (unreachable)`),
  })
  .fails("out-of-fuel", {
    "growing by nothing for ever": does(`(loop $again (drop ${grow(0)}) (br $again))`),
    "growing by more than there can be, for ever": does(`(loop $again (drop ${grow(65_536)}) (br $again))`),
    "growing by 2^32 - 1 pages for ever": does(`(loop $again (drop ${grow(-1)}) (br $again))`),
    "growing by more than the limit for ever": does(`(loop $again (drop ${grow(1025)}) (br $again))`),
    "growing by a page for ever, whatever comes of it": does(`(loop $again (drop ${grow(1)}) (br $again))`),
    "asking for the size for ever": does("(loop $again (drop (memory.size)) (br $again))"),
    "growing by a page that the fuel does not pay for": {
      guest: does(`(drop ${grow(1)})`),
      limits: { fuel: 1000 },
    },
    "touching every page of all the memory for ever": does(
      `(local $at i32) (drop ${grow(1_000)})
      (loop $again
        (i32.store8 (local.get $at) (i32.const 1))
        (local.set $at (i32.and (i32.add (local.get $at) (i32.const 4096)) (i32.const 0x3ffffff)))
        (if (i32.ge_u (local.get $at) (i32.const 65000000)) (then (local.set $at (i32.const 0))))
        (br $again))`,
    ),
  })
  .survives({
    "growing to 4 GiB, which is refused": does(refusedGrowth(65_535)),
    "growing by 2^32 - 1 pages, which is refused": does(refusedGrowth(-1)),
    "growing by 2^31 pages, which is refused": does(refusedGrowth("0x80000000")),
    "growing by a page more than the limit allows, which is refused": does(refusedGrowth(1024)),
    "growing to the limit exactly, and by a page more, which is refused": does(
      `${must(`(i32.eq ${grow(1023)} (i32.const 1))`)} ${refusedGrowth(1)} ${must("(i32.eq (memory.size) (i32.const 1024))")}`,
    ),
    "declaring a maximum of 4 GiB, which its limit cuts": hook(
      withMemory("1 65536", `${refusedGrowth(1024)} ${NOTHING}`),
    ),
    "growing over its own declared maximum": hook(withMemory("1 2", `${refusedGrowth(2)} ${NOTHING}`)),
  })
  .survives(
    needing("multi-memory", {
      "growing eight memories, which have one limit together": does(
        `${many(7, (i) => `(drop (memory.grow $m${i} (i32.const 150)))`)}
        ${must("(i32.lt_u (i32.add (memory.size $m5) (memory.size $m6)) (i32.const 151))")}`,
        { fields: many(7, (i) => `(memory $m${i} 0)`) },
      ),
    }),
  )
  .fails("trap", {
    "a load at the last address": {
      guest: does("(drop (i32.load (i32.const -1)))"),
      because: "memory access",
    },
    "a load of which the offset reaches beyond 4 GiB": {
      guest: does("(drop (i64.load offset=0xffffffff (i32.const -1)))"),
      because: "memory access",
    },
    "a store that crosses the end of the memory": {
      guest: does("(i64.store (i32.const 65529) (i64.const 1))"),
      because: "memory access",
    },
    "a load from memory that it was refused": {
      guest: does("(drop (i32.load (i32.const 70000)))"),
      because: "memory access",
    },
    "a data segment beyond the memory": {
      guest: does("", { fields: '(data (i32.const 65535) "ab")' }),
      because: "memory access",
    },
    "a data segment at a negative address": {
      guest: does("", { fields: '(data (i32.const -1) "a")' }),
      because: "memory access",
    },
  });
