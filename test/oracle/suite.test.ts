import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { meteredEngine } from "../spec/engines.js";
import { Machine } from "../spec/machine.js";
import { holds } from "../spec/outcome.js";
import { prepare } from "../spec/prepare.js";
import { InterpretedScript } from "./interpreted-script.js";

const SUITE = new URL("../../../shared/wasm-testsuite/", import.meta.url);
const files = existsSync(SUITE)
  ? readdirSync(SUITE, { recursive: true, encoding: "utf8" }).filter(
      // The interpreter leaves out SIMD.
      (file) => file.endsWith(".wast") && !/simd/.test(file),
    )
  : [];

const counts = { sameFuel: 0, trapped: 0, notHeldByEngine: 0, notInterpreted: 0 };

if (files.length === 0) {
  process.stdout.write("skipped: the official WebAssembly test suite is not in ../shared/wasm-testsuite\n");
} else {
  process.stdout.write("skipped: the test suite's SIMD scripts, which the interpreter leaves out\n");
}

describe.skipIf(files.length === 0)("the official test suite, interpreted", () => {
  test.each(files.sort())("%s comes to the same results and the same fuel", async (file) => {
    const engine = meteredEngine();
    const metered = new Machine(engine);
    const script = new InterpretedScript();
    const differences: string[] = [];
    for (const [i, step] of (await prepare(readFileSync(new URL(file, SUITE), "utf8"))).entries()) {
      const fuelBefore = engine.fuelLeft();
      const spentBefore = script.machine.spent;
      const outcome = await metered.run(step);
      const fuel = fuelBefore - engine.fuelLeft();
      if (!["returned", "trap", "exception"].includes(outcome.kind) || !holds(step, outcome)) {
        counts.notHeldByEngine++;
        continue;
      }
      const expected = script.run(step);
      const spent = BigInt(script.machine.spent - spentBefore);
      const where = `${i} ${step.command.kind} ${"action" in step.command ? step.command.action.name : ""}`;
      if (expected.kind === "skipped") counts.notInterpreted++;
      else if (!holds(step, expected))
        differences.push(`${where}: engine ${outcome.kind}, interpreted ${expected.kind}`);
      else if (outcome.kind === "trap") counts.trapped++;
      else if (fuel === spent) counts.sameFuel++;
      else differences.push(`${where}: fuel ${fuel}, interpreted ${spent}`);
    }
    expect(differences).toEqual([]);
  });

  afterAll(() => {
    process.stdout.write(`official test suite, interpreted: ${JSON.stringify(counts)}\n`);
  });
});
