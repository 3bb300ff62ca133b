import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decodeArtefact, encodeArtefact } from "#src/sandbox/cache/encode-artefact";
import { prepare } from "#src/sandbox/prepare";
import { sayingCommand } from "../../support/commands.js";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { configGuest, echoGuest, logGuest } from "../../support/guests.js";
import { FAILING, ODD } from "../link/odd-components.js";

const CAPS = { memoryPages: 64, tableElements: 1_000 };

describe("an artefact is the same once it was encoded and decoded:", () => {
  test.each([
    ["echo", echoGuest],
    ["log", logGuest],
    ["config", configGuest],
  ])("that of the guest %s", async (_name, wat) => {
    expectSame(await hookComponent(wat));
  });

  test.each(Object.entries({ ...ODD, ...FAILING }))("that of a component with %s", async (_what, fields) => {
    expectSame(await componentFromWat(`(component ${fields})`));
  });
});

test("the artefact of a command is the same too, with what its random numbers are seeded by", async () => {
  const bytes = await componentFromWat(sayingCommand({ stdout: "{}" }));
  expectSame(bytes);
  const { artefact } = prepare({ bytes, caps: CAPS });
  expect(artefact.plan).toMatchObject({ seed: [...createHash("sha256").update(bytes).digest()] });
});

function expectSame(component: Uint8Array): void {
  const { artefact } = prepare({ bytes: component, caps: CAPS });
  // From within a larger buffer, as it is behind its checksum.
  const file = Buffer.concat([new Uint8Array(33), ...encodeArtefact(artefact)]);
  expect(decodeArtefact(new Uint8Array(file).subarray(33))).toEqual(artefact);
}
