import { describe, expect, it } from "vitest";
import { dialectNamed } from "#src/dialects/dialects";
import type { HookEvent } from "#src/index";
import { runEvent } from "../../support/cli.js";
import type { Chain, Chains } from "./chains.js";
import { type Expected, type Recorded, type RecordName, readRecords } from "./records.js";
import { countParts, type Said, saidIn } from "./said.js";

export interface Parity {
  chains: Chains;
  /** For each record, how often at the least the guard has a decision or a part of one. */
  records: Partial<Record<RecordName, Record<string, number>>>;
  /** The event as the agent writes it. */
  spelled(event: HookEvent): object;
  /** What the guard alone comes to. */
  expected(expected: Expected, event: HookEvent): Said;
  /** Names of events for which processes are run as well. */
  sample: readonly string[];
}

const LEAST_EVENTS = 50;
const AT_A_TIME = 4;
/** Commands are processes, and hundreds of them take a while on a busy machine. */
const PATIENCE_MS = 600_000;

const GUARDS = [
  ["command", "c"],
  ["wasm module", "w"],
] as const;

/** Events take turns with these; each is compared with as many guards of one kind. */
const MIXED: readonly Chain[] = ["cw", "wc", "cw", "wc", "cwc"];
/** A chain of commands takes the longest, so that every eighth event has one. */
const COMMANDS_EVERY = 8;

export function parityTests({ chains, records, spelled, expected, sample }: Parity): void {
  const { decodeEvent } = dialectNamed(chains.dialect);
  const run = (chain: Chain, { event }: Recorded) => chains.run(chain, decodeEvent(spelled(event)));

  describe.each(Object.entries(records) as [RecordName, Record<string, number>][])(
    `what guards say in the dialect ${chains.dialect} on the record %s`,
    { timeout: PATIENCE_MS },
    (record, least) => {
      const reading = readRecords(record);

      it("is of fifty events or more, with enough of each decision", async () => {
        const all = await reading;
        expect(all.length).toBeGreaterThanOrEqual(LEAST_EVENTS);
        const counts = countParts(all.map(({ event, expected: said }) => expected(said, event)));
        for (const [part, figure] of Object.entries(least)) {
          expect(counts[part], part).toBeGreaterThanOrEqual(figure);
        }
      });

      it.each(GUARDS)("is what the specification has, where the guard is a %s", async (_, alone) => {
        const all = await reading;
        const specified = all.map(({ name, event, expected: said }) => [name, expected(said, event)]);
        expect(await byName(all, (recorded) => run(alone, recorded))).toEqual(Object.fromEntries(specified));
      });

      it("is the same in a chain of both kinds as in a chain of wasm modules", async () => {
        const all = await reading;
        const mixed = await byName(all, (recorded, index) => run(mixedAt(index), recorded));
        const modules = await byName(all, (recorded, index) => run(only("w", mixedAt(index)), recorded));
        expect(mixed).toEqual(modules);
      });

      it("is the same in a chain of commands as in a chain of wasm modules", async () => {
        const some = (await reading).filter((_, index) => index % COMMANDS_EVERY === 0);
        const commands = await byName(some, (recorded, index) => run(only("c", mixedAt(index)), recorded));
        const modules = await byName(some, (recorded, index) => run(only("w", mixedAt(index)), recorded));
        expect(commands).toEqual(modules);
      });

      it("is the same from the command line", async () => {
        const sampled = (await reading).filter(({ name }) => sample.includes(name));
        expect(sampled).not.toEqual([]);
        for (const recorded of sampled) {
          const { outcome } = await runEvent(await chains.config("cw"), spelled(recorded.event));
          expect(saidIn(outcome), recorded.name).toEqual(await run("ww", recorded));
        }
      });
    },
  );
}

function mixedAt(index: number): Chain {
  return MIXED[index % MIXED.length] as Chain;
}

/** As many guards as a chain has, of one kind. */
function only(kind: "c" | "w", { length }: Chain): Chain {
  return kind.repeat(length) as Chain;
}

/** What each event comes to, a few at a time. */
async function byName(
  records: readonly Recorded[],
  run: (recorded: Recorded, index: number) => Promise<Said>,
): Promise<Record<string, Said>> {
  const said: Record<string, Said> = {};
  const left = records.entries();
  const worker = async (): Promise<void> => {
    for (const [index, recorded] of left) said[recorded.name] = await run(recorded, index);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return said;
}
