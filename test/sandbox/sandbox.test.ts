import { afterEach, describe, expect, test } from "vitest";
import { Sandbox } from "#src/sandbox/sandbox";
import { echoGuest, errGuest, guest, loopGuest, recurseGuest, trapGuest } from "../support/guests.js";
import { threadsStartedBy } from "../support/threads.js";
import { loadGuest, outputOf, runModule } from "./run-guest.js";

let sandbox = new Sandbox({ workers: 1 });
afterEach(async () => {
  await sandbox.close();
  sandbox = new Sandbox({ workers: 1 });
});

/** Whether an event that follows a run of this guest is answered in another thread. */
async function isThrownAway(wat: string): Promise<boolean> {
  const [echo, other] = [await loadGuest(sandbox, echoGuest), await loadGuest(sandbox, wat)];
  await runModule(sandbox, echo);
  const started = await threadsStartedBy(async () => {
    await runModule(sandbox, other, { limits: { fuel: 1_000_000 } });
    expect(outputOf(await runModule(sandbox, echo, { event: "next" }))).toBe("next");
  });
  return started > 0;
}

describe("a worker in which a guest", () => {
  test.each([
    ["answered", echoGuest],
    ["said why it failed", errGuest("no")],
  ])("%s is used again", async (_what, wat) => {
    expect(await isThrownAway(wat)).toBe(false);
  });

  test.each([
    ["trapped", trapGuest],
    ["ran out of fuel", loopGuest],
    ["nested its calls too deep", recurseGuest],
    ["answered nonsense", guest({ handle: "(i32.const -8)" })],
  ])("%s is thrown away", async (_what, wat) => {
    expect(await isThrownAway(wat)).toBe(true);
  });
});
