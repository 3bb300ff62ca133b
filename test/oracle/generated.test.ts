import { print } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { isSupported } from "../support/metered.js";
import { compare } from "./compare.js";
import { program } from "./programs/program.js";
import type { Exceptions } from "./programs/scope.js";

const PROGRAMS = 10_200;
const LARGEST = 40;
const BATCHES = 4;

const seed = Number(process.env.WASMHOOK_SEED ?? 1);
process.stdout.write(`generated programs: WASMHOOK_SEED=${seed}\n`);

const hasTryTable = await isSupported("(module (tag $t) (func (block $b (try_table (catch_all $b)))))");
if (!hasTryTable) {
  process.stdout.write("skipped: this engine has no try_table, programs with it are not generated\n");
}
const encodings: Exceptions[] = [undefined, "legacy", hasTryTable ? "try_table" : "legacy"];

function programOf(index: number, size = 1 + (index % LARGEST)) {
  return program(seed * 1_000_000 + index, size, encodings[index % encodings.length], index % 5 === 0);
}

/** The smallest program of the same numbers that differs too, with its differences. */
async function smallest(index: number): Promise<string> {
  for (let size = 0; ; size++) {
    const candidate = programOf(index, size);
    const { differences } = compare(candidate, index);
    if (differences.length === 0 && size < LARGEST) continue;
    return `program ${index} of size ${size}:\n${differences.join("\n")}\n${await print(candidate.bytes)}`;
  }
}

describe("generated programs", () => {
  test.each(Array.from({ length: BATCHES }, (_, i) => i))(
    "come to the same results and the same fuel as interpreted, batch %i",
    async (batch) => {
      const endings: Record<string, number> = {};
      let invalid = 0;
      for (let index = batch; index < PROGRAMS; index += BATCHES) {
        const candidate = programOf(index);
        if (!WebAssembly.validate(candidate.bytes)) invalid++;
        const { ending, differences } = compare(candidate, index * 7919);
        endings[ending] = (endings[ending] ?? 0) + 1;
        if (differences.length > 0) expect.fail(await smallest(index));
      }
      process.stdout.write(`generated programs, batch ${batch}: ${JSON.stringify(endings)}\n`);
      expect(invalid).toBe(0);
      // That the generator makes all that it is for.
      expect(endings.returned).toBeGreaterThan(PROGRAMS / BATCHES / 4);
      expect(Object.keys(endings).length).toBeGreaterThan(8);
    },
    120_000,
  );
});
