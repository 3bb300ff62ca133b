import { beforeAll, describe, expect, test } from "vitest";
import { corpus, families } from "./corpus.js";
import { declare } from "./declaration.js";
import { expectedOf, FRIENDLY, named } from "./expected.js";
import { keepFigures } from "./figures.js";
import type { Hostile } from "./hostile.js";
import { type CliRun, throughCli } from "./through-cli.js";

/** More than a run of a guest that does nothing takes. */
const LIMITS = { milliseconds: 2_000, peakBytes: 256 * 1024 * 1024 };
/** A guest that only waits takes no time of a processor. */
const WAITED_MILLISECONDS = 8_000;
const AT_ONCE = 2;
/** What is over a limit is tried again, alone. */
const ATTEMPTS = 5;

const runs = new Map<Hostile, CliRun>();
let empty: CliRun;

/** By the clock or, since a busy machine makes anything slow, by the processors' time. */
function millisecondsTaken({ milliseconds, cpuMilliseconds }: CliRun): number {
  if (milliseconds > WAITED_MILLISECONDS) return milliseconds;
  return Math.min(milliseconds - empty.milliseconds, cpuMilliseconds - empty.cpuMilliseconds);
}

function isWithin(run: CliRun): boolean {
  return millisecondsTaken(run) <= LIMITS.milliseconds && run.peakBytes - empty.peakBytes <= LIMITS.peakBytes;
}

beforeAll(async () => {
  empty = await throughCli(await declare({ [FRIENDLY.tool]: FRIENDLY }), FRIENDLY.tool);
  const waiting = [...corpus];
  const slow: [Hostile, string][] = [];
  async function work() {
    for (let guest = waiting.shift(); guest !== undefined; guest = waiting.shift()) {
      const config = await declare({ hostile: guest });
      const run = await throughCli(config, "hostile");
      runs.set(guest, run);
      if (!isWithin(run)) slow.push([guest, config]);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const [guest, config] of slow) {
    for (let attempt = 1; attempt < ATTEMPTS && !isWithin(runs.get(guest)!); attempt++) {
      runs.set(guest, await throughCli(config, "hostile"));
    }
  }
  await keepFigures(
    "cli",
    [...runs].map(([{ family, title }, { ended, milliseconds, cpuMilliseconds, peakBytes, fuel }]) => {
      return { family, title, ended, milliseconds, cpuMilliseconds, peakBytes, fuel };
    }),
  );
}, 1_200_000);

test("a run of a friendly guest is what the others are measured against", () => {
  expect(empty).toMatchObject({ exitCode: 0, ended: "ok", stderr: "" });
});

describe.each(families)("$name", ({ guests }) => {
  test.each(named(guests))("%s", (_name, guest) => {
    const run = runs.get(guest)!;
    const { ends, stage, because } = expectedOf(guest);
    expect([run.ended, run.said]).toEqual([ends, expect.stringMatching(because)]);
    if (stage === "inspect") expect(run).toMatchObject({ exitCode: 1 });
    else expect(run.exitCode).toBe(guest.outcome?.decision === "deny" ? 2 : 0);
    if (ends === "ok") expect(run.outcome).toMatchObject(guest.outcome ?? {});
    expect(millisecondsTaken(run), "milliseconds").toBeLessThanOrEqual(LIMITS.milliseconds);
    expect(run.peakBytes - empty.peakBytes, "bytes of memory").toBeLessThanOrEqual(LIMITS.peakBytes);
  });
});
