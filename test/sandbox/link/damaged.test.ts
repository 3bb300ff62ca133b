import fc from "fast-check";
import { expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { type Guest, runGuest } from "#src/sandbox/instance";
import { prepare } from "#src/sandbox/prepare";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { logGuest } from "../../support/guests.js";
import { FAILING, ODD } from "./odd-components.js";

const CAPS = { memoryPages: 64, tableElements: 1_000 };
const LIMITS = { ...DEFAULT_LIMITS, fuel: 100_000, memoryBytes: 64 * 65_536 };

const components = [
  await hookComponent(logGuest),
  ...(await Promise.all(
    Object.values({ ...ODD, ...FAILING }).map((fields) => componentFromWat(`(component ${fields})`)),
  )),
];

/** Undefined where the bytes are refused; anything else that happens fails the test. */
function prepared(bytes: Uint8Array): Guest | undefined {
  try {
    return prepare({ bytes, caps: CAPS }).guest;
  } catch (error) {
    if (error instanceof WasmhookError) return undefined;
    throw error;
  }
}

test("a component of which bytes were changed is refused when it is loaded, or what it gives is its own", () => {
  const change = fc.record({
    at: fc.nat(),
    to: fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 5), fc.integer({ min: 0, max: 255 })),
  });
  let ran = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...components),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (bytes, changes) => {
        const changed = bytes.slice();
        for (const { at, to } of changes) changed[at % changed.length] = to;
        const guest = prepared(changed);
        if (guest === undefined) return;
        ran++;
        const { result } = runGuest(guest, { event: '{"a":1}', config: "null", limits: LIMITS });
        // What does not link is known when it is planned.
        expect("failure" in result && result.failure.code).not.toBe("module-refused");
      },
    ),
    { numRuns: 1_000 },
  );
  expect(ran).toBeGreaterThan(50);
});
