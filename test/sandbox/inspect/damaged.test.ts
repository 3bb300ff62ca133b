import { $init, generate } from "@bytecodealliance/jco-transpile/component";
import { componentWit } from "@bytecodealliance/jco-transpile/wasm-tools";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { inspect } from "#src/sandbox/inspect";
import { PREAMBLE } from "../../support/component-bytes.js";
import { hookComponent } from "../../support/components.js";
import { constGuest, logGuest } from "../../support/guests.js";
import { refusalOf } from "../../support/refusals.js";

const real = await hookComponent(logGuest);
const withData = await hookComponent(constGuest('{"action":"deny","reason":"no"}'));

/** Whether the bytes are inspected or refused; anything else that happens fails the test. */
function inspected(bytes: Uint8Array): boolean {
  try {
    inspect(bytes);
    return true;
  } catch (error) {
    if (error instanceof WasmhookError) return false;
    throw error;
  }
}

/** Whether the transpiler takes the bytes. Where it panics, which leaves it unusable, the test fails. */
function transpiled(bytes: Uint8Array): boolean {
  try {
    generate(bytes, { name: "guest", instantiation: { tag: "sync" }, noTypescript: true });
    return true;
  } catch (error) {
    if (error instanceof Error && !error.message.includes("wasm trap")) return false;
    throw error;
  }
}

describe("a file that was cut", () => {
  test("is refused wherever the cut is, except where only custom sections are lost", () => {
    const { sections } = inspect(real);
    const custom = sections.filter(({ name }) => name.startsWith("custom"));
    const whole = new Set(custom.map(({ offset }) => offset));
    expect(whole.size).toBe(2);
    const accepted = [...real.keys()].filter((length) => inspected(real.slice(0, length)));
    expect(accepted).toEqual([...whole]);
  });

  test("within a section is refused as truncated, with the offset where it ends", () => {
    const inSection = inspect(real).sections.filter(({ bytes }) => bytes > 2);
    for (const { offset, bytes } of inSection) {
      const length = offset + Math.floor(bytes / 2) + 2;
      expect(refusalOf(real.slice(0, length))).toMatchObject({
        code: "wasm-truncated",
        data: { offset: length },
      });
    }
  });
});

describe("bytes that were changed never do more than be refused", () => {
  test.each([
    ["one byte", 1],
    ["a few bytes", 8],
  ])("%s of a component", (_what, most) => {
    const change = fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(
        fc.constantFrom(real, withData),
        fc.array(change, { minLength: 1, maxLength: most }),
        (bytes, changes) => {
          const changed = bytes.slice();
          for (const { at, to } of changes) changed[at % changed.length] = to;
          inspected(changed);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test("a component that is accepted has the same WIT for the transpiler, or is refused by it", async () => {
    await $init;
    const wit = await componentWit(real);
    const change = fc.record({ at: fc.nat({ max: real.length - 1 }), to: fc.integer({ min: 0, max: 255 }) });
    const seen: string[] = [];
    for (const { at, to } of fc.sample(change, 400)) {
      const changed = real.slice();
      changed[at] = to;
      if (inspected(changed) && transpiled(changed)) seen.push(await componentWit(changed));
    }
    expect(new Set(seen)).toEqual(new Set([wit]));
  });

  test("pieces of components in any order", () => {
    const { sections } = inspect(real);
    const pieces = sections.map(({ offset }, i) => real.slice(offset, sections[i + 1]?.offset));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (chosen) => {
        inspected(Uint8Array.from([...PREAMBLE, ...chosen.flatMap((piece) => [...piece])]));
      }),
      { numRuns: 500 },
    );
  });

  test("noise after a preamble", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        inspected(Uint8Array.from([...PREAMBLE, ...noise]));
      }),
      { numRuns: 1_500 },
    );
  });
});
