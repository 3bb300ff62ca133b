import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hooks, loadHooks, type Outcome, WasmhookError } from "#src/index";
import { corpus, families } from "./corpus.js";
import { declareBesideFriendly } from "./declaration.js";
import { callOf, expectedOf, FRIENDLY, named } from "./expected.js";
import { type Figured, keepFigures } from "./figures.js";
import type { Hostile } from "./hostile.js";
import { measureUsage } from "./usage.js";

const LIMITS = { milliseconds: 2_000, peakBytes: 256 * 1024 * 1024 };

const figures: Figured[] = [];
afterAll(() => keepFigures("library", figures));

/** Does something with a guest, within the limits, and keeps what it took. */
async function measured<T>(
  { family, title }: Hostile,
  run: () => Promise<T>,
  toldBy: (result: T) => { ended: string; fuel?: number | undefined },
): Promise<T> {
  const { result, ...taken } = await measureUsage(run);
  figures.push({ family, title, ...taken, ...toldBy(result) });
  // By the clock or, since a busy machine makes anything slow, by the processors' time.
  expect(Math.min(taken.milliseconds, taken.cpuMilliseconds), "milliseconds").toBeLessThan(
    LIMITS.milliseconds,
  );
  expect(taken.peakBytes, "bytes of host memory").toBeLessThan(LIMITS.peakBytes);
  return result;
}

/** What differs between two runs that are the same. */
function withoutTimes(outcome: Outcome): Outcome {
  return { ...outcome, runs: outcome.runs.map((run) => ({ ...run, durationMs: 0 })) };
}

const toolOf = (guest: Hostile) => `guest-${corpus.indexOf(guest)}`;

describe.each(families)("$name", ({ guests }) => {
  const refused = guests.filter((guest) => expectedOf(guest).stage === "inspect");
  const accepted = guests.filter((guest) => expectedOf(guest).stage !== "inspect");
  let hooks: Hooks;

  beforeAll(async () => {
    hooks = await loadHooks(
      await declareBesideFriendly(Object.fromEntries(accepted.map((guest) => [toolOf(guest), guest]))),
    );
    expect(hooks.problems).toEqual([]);
    await expectFriendly();
    return () => hooks.close();
  });

  async function expectFriendly() {
    expect(await hooks.run(callOf(FRIENDLY.tool))).toMatchObject(FRIENDLY.answer);
  }

  test.each(named(refused))("%s", async (_name, guest) => {
    const { ends, because } = expectedOf(guest);
    const config = await declareBesideFriendly({ hostile: guest });
    await using loaded = await measured(
      guest,
      () => loadHooks(config),
      ({ problems }) => ({ ended: problems[0]?.code ?? "ok" }),
    );
    expect(loaded.problems).toMatchObject([{ code: ends, message: expect.stringMatching(because) }]);
    await expect(loaded.run(callOf("hostile"))).rejects.toMatchObject({ code: "config-invalid" });
    await expectFriendly();
  });

  test.each(named(accepted))("%s", async (_name, guest) => {
    const { ends, stage, because } = expectedOf(guest);
    const call = callOf(toolOf(guest));
    const outcome = await measured(
      guest,
      async () => {
        const hook = hooks.hooks[accepted.indexOf(guest)];
        if (stage !== "load" && hook !== undefined) await hooks.prepare(hook);
        return await hooks.run(call);
      },
      ({ runs: [run] }) => ({ ended: run?.error?.code ?? "ok", fuel: run?.fuel }),
    );
    await expectFriendly();
    if (ends === "ok") {
      expect(outcome.runs[0]?.error).toBeUndefined();
      expect(outcome).toMatchObject(guest.outcome ?? {});
      expect(withoutTimes(await hooks.run(call))).toEqual(withoutTimes(outcome));
      return;
    }
    expect(outcome.runs).toMatchObject([{ decided: "failed" }]);
    const { code, message } = outcome.runs[0]?.error ?? {};
    if (guest.greedy && code === "out-of-memory")
      expect(message).toMatch(/^the process that runs the guest held/);
    else expect([code, message]).toEqual([ends, expect.stringMatching(because)]);
    expect(outcome).toMatchObject({ decision: "none", notices: [{ kind: "warning" }] });
    const again = hooks.prepare(hooks.hooks[accepted.indexOf(guest)]!);
    if (stage === "load") await expect(again).rejects.toBeInstanceOf(WasmhookError);
    else await again;
  });
});
