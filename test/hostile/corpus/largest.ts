import { componentFromWat } from "../../support/components.js";
import { guest } from "../../support/guests.js";
import { type Bytes, concat, coreModule, joined, leb, repeat, section, sized } from "../bytes.js";
import { component, does, Family, lifted, many, NOTHING, named, type Source } from "../hostile.js";

const GOOD = `${named("$good", guest({ handle: NOTHING }))} (core instance $main (instantiate $good)) ${lifted("$main")}`;
const PLAIN_TYPE = [1, 0x60, 0, 0];

/** A good hook, and with it an instance of a core module, whose start function runs. */
function beside(module: () => Uint8Array): Source {
  return async () =>
    concat(await componentFromWat(`(component ${GOOD})`), section(1, module()), section(2, [1, 0, 1, 0]));
}

/** The most calls that one function may have. */
const CALLS = 5_000;

/** A core module with a table, a memory and a global 0, whose start function calls all of these functions, once or for ever. */
function calling(bodies: Bytes[], forever: boolean): Uint8Array {
  const groups = Math.ceil(bodies.length / CALLS);
  const callers = Array.from({ length: groups }, (_, i) => {
    return concat([0], callsOf(i * CALLS, Math.min(bodies.length, (i + 1) * CALLS)), [0x0b]);
  });
  const calls = callsOf(bodies.length, bodies.length + groups);
  const start = forever ? concat([0, 0x03, 0x40], calls, [0x0c, 0, 0x0b, 0x0b]) : concat([0], calls, [0x0b]);
  const all = [...bodies, ...callers, start];
  return coreModule(
    section(1, PLAIN_TYPE),
    section(3, leb(all.length), new Uint8Array(all.length)),
    section(4, [1, 0x70, 0, 1]),
    section(5, [1, 0, 1]),
    section(6, [1, 0x7f, 1, 0x41, 0, 0x0b]),
    section(7, [1, 1, 0x61, 0, 0]),
    section(8, leb(all.length - 1)),
    section(10, leb(all.length), joined(all.map((body) => sized(body)))),
  );
}

function callsOf(from: number, to: number): Uint8Array {
  return joined(Array.from({ length: to - from }, (_, i) => [0x10, ...leb(from + i)]));
}

/** Functions whose loop turns sixty times round code that it skips: hot for an engine, and almost for nothing. */
function hot(count: number, skipped: Bytes): Source {
  const body = concat(
    [1, 3, 0x7f, 0x03, 0x40, 0x23, 0, 0x04, 0x40],
    skipped,
    [0x0b, 0x20, 2, 0x41, 1, 0x6a, 0x22, 2, 0x41, 60, 0x48, 0x0d, 0, 0x0b, 0x0b],
  );
  return beside(() => calling(times(count, body), true));
}

/** V8 14 copies what follows a branch on a value that another branch chose, in loops again and again. */
const times = <T>(count: number, item: T) => new Array<T>(count).fill(item);
const ops = (count: number, ...code: number[]) => repeat(code, count);
/** Each changes one of two locals or leaves it, so that an optimiser must follow both through all. */
const ifs = (count: number) =>
  joined(
    Array.from({ length: count }, (_, i) => {
      const [a, b] = i % 2 === 0 ? [0, 1] : [1, 0];
      return [0x20, a, 0x04, 0x40, 0x20, b, 0x20, a, 0x6a, 0x21, b, 0x0b];
    }),
  );
const loops = (count: number) => ops(count, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b);
const block = (depth: number) => concat([0], ops(depth, 0x02, 0x40), ops(depth, 0x0b), [0x0b]);
/** Blocks in each other, and a br_table of which each target is another one of them. */
const brTable = (depth: number, targets: number) =>
  concat(
    [0],
    ops(depth, 0x02, 0x40),
    [0x41, 5, 0x0e, ...leb(targets)],
    joined(Array.from({ length: targets + 1 }, (_, i) => leb(i % depth))),
    ops(depth, 0x0b),
    [0x0b],
  );
const additions = (count: number) =>
  concat([1, 1, 0x7f], ops(count, 0x20, 0, 0x41, 1, 0x6a, 0x21, 0), [0x0b]);
const doubling = (levels: number, of: string) =>
  `(type $t0 ${of}) ${many(levels, (i) => `(type $t${i + 1} (tuple $t${i} $t${i}))`)}`;

/** As large as the limits allow: what is accepted must be cheap enough. */
export const largest = new Family("largest")
  .fails("out-of-fuel", {
    "hot functions of nine thousand branches": { guest: hot(3, ifs(8_900)), greedy: true },
    "hot functions of a thousand branches": { guest: hot(240, ifs(1_000)), greedy: true },
    "hot functions of a hundred branches": hot(8_000, ifs(100)),
    "a hot function of eight hundred loops": hot(1, loops(790)),
    "hot functions of thirty-six loops": hot(700, loops(36)),
    "hot functions of six thousand indirect calls": hot(41, ops(5_900, 0x41, 0, 0x11, 0, 0)),
    "hot functions of six thousand calls": hot(41, ops(5_900, 0x10, 0)),
    "hot functions that write into a table": hot(41, ops(2_900, 0x41, 0, 0xd2, 0, 0x26, 0)),
    "hot functions of saturating conversions": hot(41, ops(5_900, 0x43, 0, 0, 0, 0, 0xfc, 0, 0x21, 0)),
    "hot functions of a quarter of a megabyte of additions": hot(
      52,
      ops(37_000, 0x20, 0, 0x41, 1, 0x6a, 0x21, 0),
    ),
    "hot functions of a quarter of a megabyte of loads": hot(48, ops(36_000, 0x20, 0, 0x28, 0, 0, 0x21, 1)),
    "functions of two thousand blocks in each other, called": beside(() =>
      calling(times(60, block(1_990)), true),
    ),
    "br_tables of two thousand targets into as many blocks": beside(() =>
      calling(times(60, brTable(1_990, 2_040)), true),
    ),
  })
  .survives({
    "thirty-six thousand functions, each called once": beside(() =>
      calling(times(36_000, additions(50)), false),
    ),
    "four hundred functions of thirty thousand bytes, each called once": beside(() =>
      calling(times(420, additions(4_500)), false),
    ),
    "thirty megabytes of a custom section": async () =>
      concat(
        await componentFromWat(`(component ${GOOD})`),
        section(0, [1, 0x61], new Uint8Array(30_000_000)),
      ),
    "thirty megabytes of data": beside(() =>
      coreModule(section(12, [1]), section(11, [1, 1], sized(new Uint8Array(30_000_000)))),
    ),
    "two thousand types of as many functions": beside(() =>
      coreModule(
        section(1, leb(1_990), joined(Array.from({ length: 1_990 }, (_, i) => typeNumber(i)))),
        section(3, leb(1_990), joined(Array.from({ length: 1_990 }, (_, i) => leb(i)))),
        section(10, leb(1_990), repeat(sized([0, 0x0b]), 1_990)),
      ),
    ),
    "nine thousand exports": beside(() =>
      coreModule(
        section(1, PLAIN_TYPE),
        section(3, [1, 0]),
        section(7, leb(9_000), joined(Array.from({ length: 9_000 }, (_, i) => exportNumber(i)))),
        section(10, [1, 2, 0, 0x0b]),
      ),
    ),
    "a hundred thousand data segments": beside(() =>
      coreModule(section(5, [1, 0, 1]), section(11, leb(100_000), ops(100_000, 0, 0x41, 0, 0x0b, 1, 0x61))),
    ),
    "nine thousand globals": beside(() =>
      coreModule(section(6, leb(9_000), ops(9_000, 0x7e, 1, 0x42, 0, 0x0b))),
    ),
    "four thousand nine hundred custom sections": beside(() => coreModule(ops(4_900, 0, 1, 0))),
    "all of the memory, touched": does(
      "(drop (memory.grow (i32.const 1000))) (memory.fill (i32.const 0) (i32.const 1) (i32.const 65000000))",
    ),
    "a type of half a million parts, declared": component(`${doubling(18, "u8")} ${GOOD}`),
  });

/** A function's type that no other number has. */
function typeNumber(index: number): number[] {
  const params = Array.from({ length: 11 }, (_, bit) => ((index >> bit) & 1 ? 0x7f : 0x7e));
  return [0x60, params.length, ...params, 0];
}

function exportNumber(index: number): number[] {
  const name = new TextEncoder().encode(String(10_000 + index));
  return [name.length, ...name, 0, 0];
}
