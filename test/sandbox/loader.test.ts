import { afterEach, describe, expect, test } from "vitest";
import { type Linking, Loader } from "#src/sandbox/loader";
import { hookComponent } from "../support/components.js";
import { constGuest, echoGuest } from "../support/guests.js";
import { threadsStartedBy } from "../support/threads.js";

const CAPS = { memoryPages: 64, tableElements: 1_000 };

let loader: Loader | undefined;
afterEach(() => loader?.close());

describe.each<Linking>(["direct", "transpiled"])("what makes components ready (%s)", (linking) => {
  test("takes one after the other, and is thrown away after one that it refused", async () => {
    const core = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    const [one, other, last] = await Promise.all(
      [echoGuest, constGuest("{}"), constGuest("1")].map((wat) => hookComponent(wat)),
    );
    loader = new Loader(linking);
    const prepare = async (bytes: Uint8Array = core) => {
      await loader?.prepare({ bytes, caps: CAPS });
    };
    await prepare(one);
    expect(await threadsStartedBy(() => prepare(other))).toBe(0);
    await expect(prepare(core)).rejects.toMatchObject({ code: "core-module" });
    expect(await threadsStartedBy(() => prepare(last))).toBeGreaterThan(0);
  });
});
