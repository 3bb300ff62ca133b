import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { meterModule } from "#src/sandbox/meter";
import { isSupported, TEST_CAPS, TestTank } from "../../support/metered.js";
import { naivelyMetered } from "../../support/naive-meter.js";
import { type ProgramOptions, randomProgram } from "../../support/random-program.js";

const PROGRAMS = 300;
const ARGUMENTS = [0, 1, 7, 12_345];

interface Trace {
  /** what each call gave, the fuel that it took, and the fuel that was left at each call of the host */
  results: unknown[];
  fuel: number[];
  atHost: number[];
}

function trace(bytes: Uint8Array<ArrayBuffer>, fuel?: number): Trace {
  const tank = new TestTank(fuel === undefined ? {} : { fuel });
  const atHost: number[] = [];
  let depth = 0;
  const call = (value: number) => {
    atHost.push(tank.used);
    // A host that calls back finds the fuel where the guest left it.
    if (value % 3 !== 0 || depth > 2) return value + 1;
    depth++;
    const result = again(value);
    depth--;
    return result;
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    host: { call },
    ...tank.imports,
  });
  const { run, again } = exports as Record<"run" | "again", (argument: number) => number>;
  const results: unknown[] = [];
  const used: number[] = [];
  for (const argument of ARGUMENTS) {
    results.push(run(argument));
    used.push(tank.used);
  }
  return { results, fuel: used, atHost };
}

const tryTable = "(module (tag $t) (func (block $b (try_table (catch_all $b)))))";
const encodings: ProgramOptions["exceptions"][] = [undefined, "legacy"];
if (await isSupported(tryTable)) encodings.push("try_table");
else process.stdout.write("skipped: this engine has no try_table, generated programs with it are not run\n");

describe.each(encodings)("the fuel of generated programs (exceptions: %s)", (exceptions) => {
  test("is what they execute, instruction by instruction, and they compute the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const text = randomProgram(seed, exceptions ? { exceptions } : {});
        const bytes = await parse(text);
        const expected = trace(naivelyMetered(bytes));
        const actual = trace(meterModule(bytes, TEST_CAPS).bytes);
        expect(actual.results).toEqual(expected.results);
        expect(actual.fuel).toEqual(expected.fuel);
        // The host never sees less than what was executed.
        expect(actual.atHost.length).toBe(expected.atHost.length);
        for (const [i, used] of actual.atHost.entries())
          expect(used).toBeGreaterThanOrEqual(expected.atHost[i]!);
      }),
      { numRuns: PROGRAMS, seed: 1 },
    );
  });

  test("is enough if it is that, and not if it is one less", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const bytes = await parse(randomProgram(seed, exceptions ? { exceptions } : {}));
        const metered = meterModule(bytes, TEST_CAPS).bytes;
        const { results, fuel } = trace(metered);
        const needed = fuel.at(-1)!;
        expect(trace(metered, needed).results).toEqual(results);
        expect(() => {
          const short = trace(metered, needed - 1);
          if (short.fuel.at(-1)! > needed - 1)
            throw new WebAssembly.RuntimeError("exhausted after the return");
        }).toThrow(WebAssembly.RuntimeError);
      }),
      { numRuns: PROGRAMS / 3, seed: 2 },
    );
  });
});

describe("the fuel of loops that are nested", () => {
  const nested = (depth: number): string =>
    depth === 0
      ? "(drop (i32.const 1))"
      : `(block $out${depth} (loop $turn${depth} (br_if $out${depth} (i32.eqz (local.get 0)))
          (local.set 0 (i32.sub (local.get 0) (i32.const 1))) ${nested(depth - 1)} (br $turn${depth})))`;

  // From the innermost of them it is a long way out; where it is too long, each block pays for itself.
  test.each([1, 5, 30, 39, 40, 41, 60, 300])("%i deep is what they execute", async (depth) => {
    const bytes = await parse(`(module (import "host" "call" (func (param i32) (result i32)))
      (func $f (export "run") (export "again") (param i32) (result i32) ${nested(depth)} (local.get 0)))`);
    const actual = trace(meterModule(bytes, TEST_CAPS).bytes);
    expect(actual).toEqual(trace(naivelyMetered(bytes)));
  });
});
