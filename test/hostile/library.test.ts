import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Hook, type Hooks, loadHooks, type Outcome, WasmhookError } from "#src/index";
import { corpus, families } from "./corpus.js";
import { declareBesideFriendly } from "./declaration.js";
import { callOf, expectedOf, FRIENDLY, named } from "./expected.js";
import { type Figured, type Figures, keepFigures } from "./figures.js";
import type { Hostile } from "./hostile.js";
import { measureUsage } from "./usage.js";

const LIMITS = { milliseconds: 2_000, peakBytes: 256 * 1024 * 1024 };
/** What is over a limit is tried again, from its load on. */
const ATTEMPTS = 5;

const figures: Figured[] = [];
afterAll(() => keepFigures("library", figures));

/** By the clock or, since a busy machine makes anything slow, by the processors' time. */
function millisecondsTaken({ milliseconds, cpuMilliseconds }: Figures): number {
  return Math.min(milliseconds, cpuMilliseconds);
}

function isWithin(taken: Figures): boolean {
  return millisecondsTaken(taken) < LIMITS.milliseconds && taken.peakBytes < LIMITS.peakBytes;
}

/** Does something with a guest, within the limits, and keeps what it took. */
async function measured<T>(
  { family, title }: Hostile,
  attempt: (count: number) => Promise<() => Promise<T>>,
  toldBy: (result: T) => { ended: string; fuel?: number | undefined },
): Promise<T> {
  for (let count = 1; ; count++) {
    const { result, ...taken } = await measureUsage(await attempt(count));
    if (!isWithin(taken) && count < ATTEMPTS) continue;
    figures.push({ family, title, ...taken, ...toldBy(result) });
    expect(millisecondsTaken(taken), "milliseconds").toBeLessThan(LIMITS.milliseconds);
    expect(taken.peakBytes, "bytes of host memory").toBeLessThan(LIMITS.peakBytes);
    return result;
  }
}

/** What differs between two runs that are the same. */
function withoutTimes(outcome: Outcome): Outcome {
  return { ...outcome, runs: outcome.runs.map((run) => ({ ...run, durationMs: 0 })) };
}

/** The hook for a guest's tool. */
function selected({ hooks }: Hooks, tool: string): Hook[] {
  return hooks.filter(({ matcher }) => matcher.matches(tool));
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

  const alone: Hooks[] = [];
  afterEach(async () => {
    await Promise.all(alone.splice(0).map((own) => own.close()));
  });
  async function loadAlone(guest: Hostile): Promise<Hooks> {
    const own = await loadHooks(await declareBesideFriendly({ [toolOf(guest)]: guest }));
    alone.push(own);
    // What it needs for any guest is there before.
    await own.run(callOf(FRIENDLY.tool));
    return own;
  }

  async function expectFriendly() {
    expect(await hooks.run(callOf(FRIENDLY.tool))).toMatchObject(FRIENDLY.answer);
  }

  test.each(named(refused))("%s", async (_name, guest) => {
    const { ends, because } = expectedOf(guest);
    const config = await declareBesideFriendly({ hostile: guest });
    await using loaded = await measured(
      guest,
      async () => () => loadHooks(config),
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
      async (count) => {
        const own = count === 1 ? hooks : await loadAlone(guest);
        const [hook] = selected(own, toolOf(guest));
        return async () => {
          if (stage !== "load" && hook !== undefined) await own.prepare(hook);
          return await own.run(call);
        };
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
    const [hook] = selected(hooks, toolOf(guest));
    const again = hooks.prepare(hook!);
    if (stage === "load") await expect(again).rejects.toBeInstanceOf(WasmhookError);
    else await again;
  });
});
