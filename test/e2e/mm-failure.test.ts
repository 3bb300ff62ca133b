import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { ErrorCode, HookEvent, Moment } from "#src/index";
import { constGuest, errGuest, growGuest, loopGuest, recurseGuest, trapGuest } from "../support/guests.js";
import {
  component,
  type Declared,
  KINDS,
  type Kind,
  load,
  mmAgent,
  prints,
  says,
  sharedHooks,
} from "./hooks.js";

const cwd = tmpdir();
const tool = { name: "bash", input: { command: "ls" } };
const MOMENTS = ["preGeneration", "preToolCall", "postToolCall", "postGeneration"] as const;
const EVENTS: Record<Moment, HookEvent> = {
  preGeneration: { event: "preGeneration", cwd, prompt: "Why?" },
  preToolCall: { event: "preToolCall", cwd, tool },
  postToolCall: { event: "postToolCall", cwd, tool: { ...tool, output: "a.txt" } },
  postGeneration: { event: "postGeneration", cwd, prompt: "Why?", response: "Because." },
};

/** A way to fail: its name, the hook, the code of its error, and what the message must say. */
type Failure = [way: string, hook: Declared, code: ErrorCode, says: RegExp];

const COMMANDS: Failure[] = [
  ["exits with 1", { command: "echo broken >&2; exit 1" }, "command-failed", /exited with 1: broken/],
  [
    "exits with 2, which is no denial here",
    { command: `${prints('{"action":"deny"}')}; exit 2` },
    "command-failed",
    /exited with 2/,
  ],
  ["is missing", { command: "no-such-program-anywhere" }, "command-failed", /exited with 127/],
  ["has a syntax error", { command: "if then" }, "command-failed", /exited with 2: .*[Ss]yntax error/s],
  ["is killed", { command: "kill -KILL $$" }, "command-failed", /killed by SIGKILL/],
  ["overruns its timeout", { command: "sleep 100", timeout: "200ms" }, "deadline", /within 200 ms/],
  ["prints no JSON", { command: "echo all fine" }, "bad-decision", /not one JSON object/],
  ["prints two decisions", { command: "echo '{}{}'" }, "bad-decision", /not one JSON object/],
  [
    "prints JSON that is no object",
    { command: "echo '[]'" },
    "bad-decision",
    /the output is a list: print nothing but the JSON object/,
  ],
  [
    "decides what nobody knows",
    { command: `echo '{"action":"dney"}'` },
    "bad-decision",
    /"action" is "dney": use deny, allow, ask or stop/,
  ],
  ["prints what is not UTF-8", { command: "printf '\\377'" }, "bad-output", /not UTF-8/],
];

const answer = async (said: string) => ({ wasm: await component(constGuest(said)) });
const MODULES: Failure[] = [
  ["traps", { wasm: await component(trapGuest) }, "trap", /unreachable/],
  ["says that it failed", { wasm: await component(errGuest("no list")) }, "guest-error", /no list/],
  ["loops for ever", { wasm: await component(loopGuest) }, "out-of-fuel", /100000000 units of fuel/],
  [
    "overruns its timeout",
    { wasm: await component(loopGuest), timeout: "200ms", limits: { fuel: "1000000G" } },
    "deadline",
    /200 ms/,
  ],
  ["recurses for ever", { wasm: await component(recurseGuest) }, "stack-exhausted", /nested too deep/],
  ["grows its memory for ever", { wasm: await component(growGuest) }, "out-of-memory", /67108864 bytes/],
  ["answers no JSON", await answer("all fine"), "bad-decision", /not one JSON object/],
  ["answers two decisions", await answer("{}{}"), "bad-decision", /not one JSON object/],
  [
    "answers JSON that is no object",
    await answer("[]"),
    "bad-decision",
    /the output is a list: print nothing but the JSON object/,
  ],
  [
    "decides what nobody knows",
    await answer('{"action":"dney"}'),
    "bad-decision",
    /"action" is "dney": use deny, allow, ask or stop/,
  ],
  [
    "answers more than it may",
    { ...(await answer('{"context":"0123456789"}')), limits: { output: 20 } },
    "output-too-large",
    /24 bytes/,
  ],
];

/** What a decision may not hold, by the moment at which it is given. */
const ILLEGAL: [Moment, ...object[]][] = [
  ["preGeneration", { action: "deny" }, { action: "allow" }, { input: {} }],
  ["preToolCall", { action: "stop" }, { prompt: "x" }],
  ["postToolCall", { action: "deny" }, { input: {} }, { prompt: "x" }],
  ["postGeneration", { action: "stop" }, { context: "x" }],
];

const WAYS: Record<Kind, Failure[]> = { command: COMMANDS, wasm: MODULES };
const FINE = { command: prints('{"context":"the next hook runs"}') };

describe.each(KINDS)("a %s hook that fails", (kind) => {
  const all = WAYS[kind];
  const declared = (rest: (index: number) => object) =>
    all.map(([, hook], index) => ({ ...hook, ...rest(index) }));
  const agent = sharedHooks(() =>
    mmAgent({
      preToolCall: [
        ...declared(() => ({ matcher: "^warn$" })),
        ...declared(() => ({ matcher: "^ignore$", onError: "ignore" })),
        ...declared((index) => ({ matcher: `^fail${index}$`, onError: "fail" })),
        FINE,
      ],
      ...Object.fromEntries(
        MOMENTS.filter((moment) => moment !== "preToolCall").map((moment) => [
          moment,
          [{ ...all[0]?.[1], onError: "fail" } as Declared],
        ]),
      ),
    }),
  );
  const runOn = (name: string) => agent.hooks.run({ ...EVENTS.preToolCall, tool: { ...tool, name } });

  it("does not get in the way by default, warn: the user is told, and the next hook runs", async () => {
    const { runs, notices, ...outcome } = await runOn("warn");
    expect(outcome).toEqual({ decision: "none", context: "the next hook runs" });
    const failed = runs.slice(0, -1);
    expect(failed.map(({ decided, error }, index) => [all[index]?.[0], decided, error?.code])).toEqual(
      all.map(([way, , code]) => [way, "failed", code]),
    );
    expect(notices).toEqual(
      failed.map(({ hook, error }) => ({
        hook,
        kind: "warning",
        text: expect.stringContaining(`failed: ${error?.message}`),
      })),
    );
  });

  it("leaves no trace but its run record with onError: ignore", async () => {
    const { runs, ...outcome } = await runOn("ignore");
    expect(outcome).toEqual({ decision: "none", context: "the next hook runs", notices: [] });
    expect(runs.filter(({ decided }) => decided === "failed")).toHaveLength(all.length);
  });

  it("denies the call with onError: fail, with the hook and the cause in the reason, however it fails", async () => {
    for (const [index, [way, , code, says]] of all.entries()) {
      const { decision, reason, runs } = await runOn(`fail${index}`);
      expect([way, decision, runs.length, runs[0]?.error?.code]).toEqual([way, "deny", 1, code]);
      expect(reason).toMatch(says);
      expect(reason).toContain(`hook "${runs[0]?.label}" failed: `);
    }
  });

  it("with onError: fail stops a question; afterwards there is nothing to refuse, and the user is told", async () => {
    const ends = (["preGeneration", "postToolCall", "postGeneration"] as const).map(async (moment) => {
      const { decision, notices } = await agent.hooks.run(EVENTS[moment]);
      return [moment, decision, notices.length];
    });
    expect(await Promise.all(ends)).toEqual([
      ["preGeneration", "stop", 0],
      ["postToolCall", "none", 1],
      ["postGeneration", "none", 1],
    ]);
  });

  it("is one that decides what there is nothing to decide about at that moment", async () => {
    const illegal = await Promise.all(
      ILLEGAL.map(async ([moment, ...all]) => [
        moment,
        await Promise.all(all.map((said) => says(kind, said))),
      ]),
    );
    const hooks = await load(await mmAgent(Object.fromEntries(illegal)));
    for (const [moment, ...all] of ILLEGAL) {
      const { decision, runs } = await hooks.run(EVENTS[moment]);
      expect(decision).toBe("none");
      expect(runs.map(({ error }) => error)).toEqual(
        all.map(() => ({
          code: "bad-decision",
          message: expect.stringContaining(`cannot be decided at ${moment}`),
        })),
      );
    }
  });
});

it("a hook that logs to a full disk interrupts nothing with onError: ignore", async ({ skip }) => {
  skip(!existsSync("/dev/full"), "this system has no /dev/full");
  const log = { command: "cat > /dev/full", onError: "ignore" };
  const hooks = await load(await mmAgent({ postToolCall: [log], postGeneration: [log] }));
  for (const event of [EVENTS.postToolCall, EVENTS.postGeneration]) {
    const { runs, ...outcome } = await hooks.run(event);
    expect(outcome).toEqual({ decision: "none", notices: [] });
    expect(runs).toMatchObject([{ decided: "failed" }]);
  }
});
