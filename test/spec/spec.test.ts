import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { meteredEngine, naiveEngine, plainEngine } from "./engines.js";
import { Machine } from "./machine.js";
import { describeOutcome, holds } from "./outcome.js";
import { prepare } from "./prepare.js";

/** The official test suite: data of its authors, kept beside the project and never copied into it. */
const SUITE = new URL("../../../shared/wasm-testsuite/", import.meta.url);
const files = existsSync(SUITE)
  ? readdirSync(SUITE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".wast"))
  : [];

const counts = {
  held: 0,
  invalidStillRefused: 0,
  notHeldUnmetered: 0,
  notSupportedByEngine: 0,
  featureNotAccepted: 0,
  notAssembled: 0,
  fuelAsCounted: 0,
};

if (files.length === 0) {
  process.stdout.write("skipped: the official WebAssembly test suite is not in ../shared/wasm-testsuite\n");
}

describe.skipIf(files.length === 0)("the official test suite, metered", () => {
  test.each(files.sort())("%s holds as it does unmetered", async (file) => {
    const plain = new Machine(plainEngine);
    const engine = meteredEngine();
    const metered = new Machine(engine);
    const counting = naiveEngine();
    const counted = new Machine(counting);
    const differences: string[] = [];
    for (const step of await prepare(readFileSync(new URL(file, SUITE), "utf8"))) {
      const fuelBefore = engine.fuelLeft();
      const countBefore = counting.fuelLeft();
      const before = await plain.run(step);
      const after = await metered.run(step);
      await counted.run(step);
      const fuel = fuelBefore - engine.fuelLeft();
      const count = countBefore - counting.fuelLeft();
      const { command } = step;
      if ("module" in command && !step.bytes) counts.notAssembled++;
      else if (before.kind === "skipped") counts.notSupportedByEngine++;
      else if (!holds(step, before)) counts.notHeldUnmetered++;
      else if (before.kind === "refused" && after.kind !== "returned") counts.invalidStillRefused++;
      else if (after.kind === "skipped") counts.featureNotAccepted++;
      else if (!holds(step, after) || describeOutcome(before, step) !== describeOutcome(after, step)) {
        const name = "action" in command ? command.action.name : "";
        differences.push(
          `${command.kind} ${name}: ${describeOutcome(before, step)}, metered ${describeOutcome(after, step)}`,
        );
      } else {
        counts.held++;
        // A trap loses what was not yet seen by the host, or finds it charged for what never came.
        if (after.kind === "trap" || after.kind === "exhaustion") continue;
        if (fuel === count) counts.fuelAsCounted++;
        else differences.push(`${command.kind}: fuel ${fuel}, counted ${count}`);
      }
    }
    expect(differences).toEqual([]);
  });

  test("is not skipped by a mistake of this reader", () => {
    // Node 20 holds the fewest: it lacks exnref, extended constants and multiple memories.
    expect(counts.held).toBeGreaterThan(54_000);
    expect(counts.invalidStillRefused).toBeGreaterThan(3_200);
  });

  afterAll(() => {
    process.stdout.write(`official test suite: ${JSON.stringify(counts)}\n`);
  });
});
