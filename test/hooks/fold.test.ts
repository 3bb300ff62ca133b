import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WasmhookError } from "#src/errors";
import type { Answer } from "#src/hooks/answer";
import { runChain } from "#src/hooks/chain";
import type { Decision } from "#src/hooks/decision";
import type { HookEvent } from "#src/hooks/event";
import { emptyFold, foldAnswer } from "#src/hooks/fold";
import type { Hook } from "#src/hooks/hook";
import type { Outcome } from "#src/hooks/outcome";
import { commandHook } from "../support/hooks.js";

const TOOL_EVENT: HookEvent = {
  event: "preToolCall",
  cwd: "/tmp",
  tool: { name: "bash", input: { command: "ls" } },
};
const PROMPT_EVENT: HookEvent = { event: "preGeneration", cwd: "/tmp", prompt: "why?" };

type Said = Decision | WasmhookError;

function answer(said: Said): Answer {
  return said instanceof WasmhookError ? { durationMs: 1, failure: said } : { durationMs: 1, decision: said };
}

/** Runs a chain in which each hook says the given thing, and keeps the events that the hooks saw. */
async function chain(
  event: HookEvent,
  hooks: { said: Said; over?: Partial<Hook> }[],
): Promise<{ outcome: Outcome; seen: HookEvent[] }> {
  const seen: HookEvent[] = [];
  const declared = hooks.map(({ over }, index) => commandHook(`${index}`, { moment: event.event, ...over }));
  const outcome = await runChain(declared, event, async (hook, current) => {
    seen.push(current);
    return answer(hooks[Number(hook.id)]!.said);
  });
  return { outcome, seen };
}

const crash = new WasmhookError("trap", "it trapped", { trap: "unreachable" });

describe("the fold", () => {
  it("of no hooks is no decision", async () => {
    expect((await chain(TOOL_EVENT, [])).outcome).toEqual({ decision: "none", notices: [], runs: [] });
  });

  it("ends the chain at the first deny", async () => {
    const { outcome } = await chain(TOOL_EVENT, [
      { said: { action: "deny", reason: "first" } },
      { said: { action: "deny", reason: "second" } },
    ]);
    expect(outcome).toMatchObject({ decision: "deny", reason: "first" });
    expect(outcome.runs).toHaveLength(1);
  });

  it("ends the chain at the first stop, with its response", async () => {
    const said = { action: "stop", reason: "no", response: "Not that." } as const;
    const { outcome } = await chain(PROMPT_EVENT, [{ said }, { said: { context: "late" } }]);
    expect(outcome).toMatchObject({ decision: "stop", reason: "no", response: "Not that." });
    expect(outcome.context).toBeUndefined();
  });

  it("lets a later deny win over an allow", async () => {
    const { outcome } = await chain(TOOL_EVENT, [
      { said: { action: "allow", reason: "fine" } },
      { said: { action: "deny" } },
    ]);
    expect(outcome.decision).toBe("deny");
    expect(outcome.reason).toBeUndefined();
  });

  it.each([
    [["allow", "ask"], "ask"],
    [["ask", "allow"], "ask"],
    [["ask", "deny"], "deny"],
    [["allow", "allow"], "allow"],
  ] as const)("folds %j to %s", async (actions, expected) => {
    const { outcome } = await chain(
      TOOL_EVENT,
      actions.map((action) => ({ said: { action } })),
    );
    expect(outcome.decision).toBe(expected);
  });

  it.each(["allow", "ask"] as const)("keeps the first reason of two alike: %s", async (action) => {
    const { outcome } = await chain(TOOL_EVENT, [
      { said: { action, reason: "first" } },
      { said: { action, reason: "second" } },
    ]);
    expect(outcome).toMatchObject({ decision: action, reason: "first" });
  });

  it("shows each hook the rewrite of those before it, and keeps the last", async () => {
    const { outcome, seen } = await chain(TOOL_EVENT, [
      { said: { input: { command: "ls -l" } } },
      { said: {} },
      { said: { input: { command: "ls -la" } } },
    ]);
    expect(seen.map((event) => event.tool?.input)).toEqual([
      { command: "ls" },
      { command: "ls -l" },
      { command: "ls -l" },
    ]);
    expect(outcome.input).toEqual({ command: "ls -la" });
  });

  it("keeps a rewrite that stands beside a verdict of another hook", async () => {
    const { outcome } = await chain(TOOL_EVENT, [
      { said: { input: { command: "true" } } },
      { said: { action: "ask" } },
    ]);
    expect(outcome).toMatchObject({ decision: "ask", input: { command: "true" } });
  });

  it("gives a rewritten prompt to the hooks that follow", async () => {
    const { outcome, seen } = await chain(PROMPT_EVENT, [{ said: { prompt: "how?" } }, { said: {} }]);
    expect(seen[1]?.prompt).toBe("how?");
    expect(outcome.prompt).toBe("how?");
  });

  it("joins contexts by a newline, in order", async () => {
    const { outcome } = await chain(PROMPT_EVENT, [
      { said: { context: "a" } },
      { said: {} },
      { said: { context: "b" } },
    ]);
    expect(outcome.context).toBe("a\nb");
  });

  it("leaves the event that came in as it was", async () => {
    const before = structuredClone(TOOL_EVENT);
    await chain(TOOL_EVENT, [{ said: { input: { command: "rm" } } }]);
    expect(TOOL_EVENT).toEqual(before);
  });
});

describe("a failed hook", () => {
  it("denies a tool call under onError: fail, and names the hook and the cause", async () => {
    const { outcome } = await chain(TOOL_EVENT, [{ said: crash, over: { onError: "fail" } }, { said: {} }]);
    expect(outcome).toMatchObject({ decision: "deny", reason: 'hook "run 0" failed: it trapped' });
    expect(outcome.runs).toHaveLength(1);
    expect(outcome.runs[0]).toMatchObject({
      decided: "failed",
      error: { code: "trap", message: "it trapped" },
    });
  });

  it("stops a prompt under onError: fail", async () => {
    const { outcome } = await chain(PROMPT_EVENT, [{ said: crash, over: { onError: "fail" } }]);
    expect(outcome.decision).toBe("stop");
  });

  it("tells the user under onError: fail once the tool has run, since nothing is left to refuse", async () => {
    const event: HookEvent = { ...TOOL_EVENT, event: "postToolCall" };
    const { outcome } = await chain(event, [{ said: crash, over: { onError: "fail" } }]);
    expect(outcome.decision).toBe("none");
    expect(outcome.notices).toEqual([
      { hook: "0", kind: "warning", text: 'hook "run 0" failed: it trapped' },
    ]);
  });

  it("is a notice under onError: warn, and the chain goes on", async () => {
    const { outcome } = await chain(TOOL_EVENT, [{ said: crash }, { said: { action: "allow" } }]);
    expect(outcome.decision).toBe("allow");
    expect(outcome.notices).toEqual([
      { hook: "0", kind: "warning", text: 'hook "run 0" failed: it trapped' },
    ]);
  });

  it("is only in the run record under onError: ignore", async () => {
    const { outcome } = await chain(TOOL_EVENT, [{ said: crash, over: { onError: "ignore" } }]);
    expect(outcome).toMatchObject({ decision: "none", notices: [] });
    expect(outcome.runs[0]?.error?.code).toBe("trap");
  });

  it("denies under onError: fail even where the hook itself may not deny", async () => {
    const { outcome } = await chain(TOOL_EVENT, [{ said: crash, over: { onError: "fail", may: new Set() } }]);
    expect(outcome.decision).toBe("deny");
  });
});

describe("a decision outside the hook's grant", () => {
  it("is dropped, told in the run record and as a notice, and is no failure", async () => {
    const said: Decision = { action: "allow", reason: "trust me", input: { command: "rm" }, context: "kept" };
    const { outcome } = await chain(TOOL_EVENT, [{ said, over: { may: new Set(["deny", "context"]) } }]);
    expect(outcome).toMatchObject({ decision: "none", context: "kept" });
    expect(outcome.input).toBeUndefined();
    expect(outcome.runs[0]).toMatchObject({ dropped: ["allow", "input"], decided: "context (4 chars)" });
    expect(outcome.runs[0]?.error).toBeUndefined();
    expect(outcome.notices.map((notice) => notice.text)).toEqual([
      'hook "run 0" may not decide "allow", so that was dropped: add allow to its "may" to allow it',
      'hook "run 0" may not decide "input", so that was dropped: add input to its "may" to allow it',
    ]);
  });
});

describe("plain output of a hook that may not give notices", () => {
  it("is dropped, told in the run record and as a notice", () => {
    const hook = commandHook("0", { may: new Set() });
    const plain: Answer = { durationMs: 1, decision: {}, notices: [{ kind: "info", text: "hi" }] };
    const { outcome } = foldAnswer(emptyFold(TOOL_EVENT), hook, plain);
    expect(outcome.runs[0]?.dropped).toEqual(["notice"]);
    expect(outcome.notices.map(({ text }) => text)).toEqual([
      'hook "run 0" may not decide "notice", so that was dropped: add notice to its "may" to allow it',
    ]);
  });
});

it("a reason shows a long command line cut, on one line", async () => {
  const command = `true\n${"x".repeat(100)}`;
  const over = { onError: "fail" as const, runner: { kind: "command" as const, command, timeoutMs: 1 } };
  const { outcome } = await chain(TOOL_EVENT, [{ said: crash, over }]);
  expect(outcome.reason).toBe(`hook "true ${"x".repeat(54)}…" failed: it trapped`);
});

describe("in any chain", () => {
  const verdict = fc.constantFrom<Decision>({}, { action: "allow" }, { action: "ask" }, { action: "deny" });
  const failing = fc.constantFrom<Partial<Hook>>(
    { onError: "fail" },
    { onError: "warn" },
    { onError: "ignore" },
  );
  const step = fc.oneof(
    verdict.map((said) => ({ said: said as Said, over: {} as Partial<Hook> })),
    failing.map((over) => ({ said: crash as Said, over })),
  );

  it("the order of verdicts does not change the decision", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (steps, random) => {
          const shuffled = [...steps].sort(() => ((random.next().value as number) % 2 === 0 ? 1 : -1));
          const [one, other] = await Promise.all([chain(TOOL_EVENT, steps), chain(TOOL_EVENT, shuffled)]);
          expect(other.outcome.decision).toBe(one.outcome.decision);
        },
      ),
    );
  });

  it("hooks without an opinion change nothing, wherever they stand", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const padded = steps.flatMap((one) => [{ said: {} as Said }, one, { said: {} as Said }]);
        const [plain, more] = await Promise.all([chain(TOOL_EVENT, steps), chain(TOOL_EVENT, padded)]);
        expect(more.outcome.decision).toBe(plain.outcome.decision);
        expect(more.outcome.input).toEqual(plain.outcome.input);
      }),
    );
  });

  it("a failure under onError: fail is never lost", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.nat({ max: 6 }), async (steps, at) => {
        const place = Math.min(at, steps.length);
        const withGuard = [
          ...steps.slice(0, place),
          { said: crash, over: { onError: "fail" as const } },
          ...steps.slice(place),
        ];
        expect((await chain(TOOL_EVENT, withGuard)).outcome.decision).toBe("deny");
      }),
    );
  });
});
