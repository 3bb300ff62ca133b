import { expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { meterModule } from "#src/sandbox/meter";
import { TEST_CAPS } from "../support/metered.js";
import { program } from "./programs/program.js";
import { Random } from "./programs/random.js";

const MUTATED = 6000;
const LARGEST = 30;

const seed = Number(process.env.WASMHOOK_SEED ?? 1);

/** A generated program with some of its bytes changed, left out or doubled. */
function mutated(random: Random, index: number): Uint8Array<ArrayBuffer> {
  const exceptions = random.pick([undefined, "legacy"] as const);
  const bytes = [...program(seed * 1_000_000 + index, 1 + (index % LARGEST), exceptions).bytes];
  for (let changes = 1 + random.below(2); changes > 0; changes--) {
    // Most of a program is its code, and most of what stands before is lengths and types.
    const from = random.once(5) ? 8 : bytes.length >> 1;
    const at = from + random.below(bytes.length - from);
    const way = random.below(30);
    if (way === 0) bytes.splice(at, 1);
    else if (way === 1) bytes.splice(at, 0, bytes[at] ?? 0);
    else bytes[at] = random.once(2) ? random.below(256) : (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return Uint8Array.from(bytes);
}

test("a mutated program is refused for a reason, or is as valid as it was before", () => {
  const random = new Random(seed);
  const counts = { refused: 0, invalid: 0, valid: 0 };
  for (let index = 0; index < MUTATED; index++) {
    const bytes = mutated(random, index);
    let metered: Uint8Array<ArrayBuffer>;
    try {
      metered = meterModule(bytes, TEST_CAPS).bytes;
    } catch (error) {
      expect(error, `program ${index}`).toBeInstanceOf(WasmhookError);
      counts.refused++;
      continue;
    }
    const wasValid = WebAssembly.validate(bytes);
    const isValid = WebAssembly.validate(metered);
    if (isValid !== wasValid) expect.fail(`program ${index} became ${isValid ? "valid" : "invalid"}`);
    if (isValid) counts.valid++;
    else counts.invalid++;
  }
  process.stdout.write(`mutated programs: ${JSON.stringify(counts)}\n`);
  expect(counts.valid).toBeGreaterThan(MUTATED / 10);
}, 60_000);
