import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aborted } from "#src/cut-short";
import { WasmhookError } from "#src/errors";
import type { HookChain } from "#src/hooks/ask-hooks";
import { runChain } from "#src/hooks/chain";
import type { Decision } from "#src/hooks/decision";
import type { HookEvent } from "#src/hooks/event";
import { type Call, type GatedCall, type GateOptions, gate, type Question } from "#src/hooks/gate";
import { snapshotEvent } from "#src/hooks/snapshot-event";
import { commandHook } from "../support/hooks.js";

const CALL: Call = { name: "bash", input: { command: "git push -f" } };
const TURN = { cwd: "/work", session: "s", agent: "mm" };

/** A chain of hooks that decide as they are told, before and after the call. */
function chain(
  before: readonly Decision[],
  after: readonly Decision[] = [],
  seen: HookEvent[] = [],
): HookChain {
  const decisions = new Map(
    [
      ...before.map((d) => ["preToolCall", d] as const),
      ...after.map((d) => ["postToolCall", d] as const),
    ].map(([moment, decision], i) => [commandHook(`${i}`, { moment }), decision]),
  );
  return {
    run(event) {
      seen.push(event);
      return runChain([...decisions.keys()], event, async (hook) => {
        return { durationMs: 0, decision: decisions.get(hook) ?? {} };
      });
    },
  };
}

/** Gates one call, and tells what was done for it, in order. */
async function gated(
  options: Partial<GateOptions>,
  call: Call = CALL,
): Promise<{ result: GatedCall; steps: string[]; questions: Question[]; ran: Call[] }> {
  const steps: string[] = [];
  const questions: Question[] = [];
  const ran: Call[] = [];
  const hooks = options.hooks ?? chain([]);
  const result = await gate({
    ...options,
    floor: (call) => {
      steps.push("floor");
      return options.floor?.(call);
    },
    planMode: (call) => {
      steps.push("plan mode");
      return options.planMode?.(call);
    },
    hooks: {
      run(event, runOptions) {
        steps.push(event.event);
        return hooks.run(event, runOptions);
      },
    },
    confirm: async (question, signal) => {
      steps.push("confirm");
      questions.push(question);
      return (await options.confirm?.(question, signal)) ?? true;
    },
    run: async (call, signal) => {
      steps.push("run");
      ran.push(call);
      return (await options.run?.(call, signal)) ?? { output: "done" };
    },
  })(call, TURN);
  return { result, steps, questions, ran };
}

describe("a call passes", () => {
  test("the safety floor, plan mode, the hooks, the confirmation, the tool, and the hooks after it, in that order", async () => {
    const { result, steps } = await gated({});
    // The floor and plan mode are asked once more, just before the tool.
    const again = ["floor", "plan mode"];
    expect(steps).toEqual([...again, "preToolCall", "confirm", ...again, "run", "postToolCall"]);
    expect(result).toEqual({ status: "ran", call: CALL, text: "done", notices: [], runs: [] });
  });

  test("no confirmation where the agent needs no consent", async () => {
    expect((await gated({ needsConsent: () => false })).steps).not.toContain("confirm");
    const result = await gate({ hooks: chain([]), run: async () => ({ output: "done" }) })(CALL, TURN);
    expect(result.status).toBe("ran");
  });
});

describe("a deny of a hook", () => {
  test("blocks the call, which is never put to the user, and its reason is what the model reads", async () => {
    const { result, steps } = await gated({ hooks: chain([{ action: "deny", reason: "not here" }]) });
    expect(steps).toEqual(["floor", "plan mode", "preToolCall"]);
    expect(result).toMatchObject({ status: "denied", text: "not here", reason: "not here" });
  });

  test("that comes with context from the hooks before it gives the model both", async () => {
    const { result } = await gated({
      hooks: chain([{ context: "on main" }, { action: "deny", reason: "no" }]),
    });
    expect(result.text).toBe("no\n\n[context added by a hook]\non main");
  });
});

describe("an allow of a hook", () => {
  test("satisfies the confirmation of that one call", async () => {
    const { result, steps } = await gated({ hooks: chain([{ action: "allow" }]) });
    expect(steps).not.toContain("confirm");
    expect(result.status).toBe("ran");
  });

  test.each(["floor", "planMode"] as const)("does not reach the %s", async (name) => {
    const { result, ran } = await gated({ hooks: chain([{ action: "allow" }]), [name]: () => "never" });
    expect(result).toMatchObject({ status: "refused", text: "never" });
    expect(ran).toEqual([]);
  });

  test.each(["floor", "planMode"] as const)(
    "does not let arguments past the %s that a hook rewrote",
    async (name) => {
      const input = { command: "rm -rf /" };
      for (const decision of [{ input }, { action: "allow", input }] as const) {
        const { result, ran, steps } = await gated({
          hooks: chain([decision]),
          [name]: ({ input }: Call) => (input.command === "rm -rf /" ? "never" : undefined),
        });
        expect(result).toMatchObject({ status: "refused", text: "never", call: { input } });
        expect(ran).toEqual([]);
        // The user is not asked about what would be refused anyway.
        expect(steps).not.toContain("confirm");
      }
    },
  );
});

describe("an ask of a hook", () => {
  test("puts the question though the agent needs no consent, with the hook's reason", async () => {
    const { questions, result } = await gated({
      hooks: chain([{ action: "allow" }, { action: "ask", reason: "sure?" }]),
      needsConsent: () => false,
    });
    expect(questions).toEqual([{ call: CALL, byHook: true, reason: "sure?" }]);
    expect(result.status).toBe("ran");
  });

  test("declines the call where there is nobody to ask", async () => {
    let ran = false;
    const run = async () => {
      ran = true;
      return { output: "" };
    };
    const result = await gate({ hooks: chain([{ action: "ask" }]), run })(CALL, TURN);
    expect(result).toMatchObject({ status: "declined", text: expect.stringContaining("nobody to ask") });
    expect(ran).toBe(false);
  });
});

describe("the arguments that a hook rewrote", () => {
  test("are what is shown, confirmed, run, and told to the hooks after it", async () => {
    const input = { command: "git push" };
    const seen: HookEvent[] = [];
    const { questions, ran, result } = await gated({ hooks: chain([{ input }], [], seen) });
    expect([questions[0]?.call, ran[0], result.call]).toEqual(Array(3).fill({ name: "bash", input }));
    expect(seen[1]).toEqual({
      event: "postToolCall",
      ...TURN,
      tool: { name: "bash", input, output: "done" },
    });
  });

  test("are the only ones that run, whatever happens to the caller's object meanwhile", async () => {
    const call = { name: "bash", input: { command: "ls" } };
    const { ran } = await gated(
      {
        hooks: {
          run(event) {
            call.input.command = "rm -rf /";
            return chain([]).run(event);
          },
        },
      },
      call,
    );
    expect(ran).toEqual([{ name: "bash", input: { command: "ls" } }]);
  });

  test("are what JSON makes of them, so that no hook is shown others than those that run", async () => {
    const input = { command: "rm -rf /", toJSON: () => ({ command: "ls" }) } as unknown as Call["input"];
    expect((await gated({}, { name: "bash", input })).ran).toEqual([
      { name: "bash", input: { command: "ls" } },
    ]);
  });
});

describe("a call whose hooks cannot be asked", () => {
  test("is denied where it is no event", async () => {
    const input: Record<string, unknown> = {};
    input.itself = input;
    const { result, steps } = await gated({}, { name: "bash", input: input as Call["input"] });
    expect(result).toMatchObject({
      status: "denied",
      text: expect.stringContaining("cannot be written as JSON"),
    });
    expect(steps).toEqual([]);
  });

  test("is denied where it is too large, and a result that is too large passes with a warning", async () => {
    const large = "a".repeat(16 * 1024 * 1024);
    const big = await gated({}, { name: "bash", input: { command: large } });
    expect(big.result).toMatchObject({ status: "denied", text: expect.stringContaining("16777216") });
    const hooks: HookChain = { run: async (event) => chain([]).run(snapshotEvent(event)) };
    const { result } = await gated({ hooks, run: async () => ({ output: large }) });
    expect([result.status, result.text === large]).toEqual(["ran", true]);
    expect(result.notices).toMatchObject([{ kind: "warning", text: expect.stringContaining("16777216") }]);
  });

  test("is denied where their file did not load", async () => {
    const failure = new WasmhookError("config-invalid", "agent.yaml was not loaded", { problemCount: 1 });
    const { result, ran } = await gated({ hooks: { run: () => Promise.reject(failure) } });
    expect(result).toMatchObject({
      status: "denied",
      text: expect.stringContaining("agent.yaml was not loaded"),
    });
    expect(ran).toEqual([]);
  });

  test("ends with the error where its caller aborted it, and no tool is run", async () => {
    let ran = false;
    const hooks: HookChain = { run: () => Promise.reject(aborted()) };
    const run = async () => {
      ran = true;
      return { output: "" };
    };
    await expect(gate({ hooks, run })(CALL, TURN)).rejects.toMatchObject({ code: "aborted" });
    expect(ran).toBe(false);
  });
});

describe("what the tool gave", () => {
  test("has the contexts of all hooks below it, under their heading", async () => {
    const { result } = await gated({
      hooks: chain([{ context: "a" }], [{ context: "b" }, { context: "c" }]),
    });
    expect(result.text).toBe("done\n\n[context added by a hook]\na\nb\nc");
  });

  test("as an error, or what it throws, is a failed call, which the hooks after it are told", async () => {
    for (const fail of [
      async () => ({ error: "no such file" }),
      () => Promise.reject(new Error("no such file")),
    ]) {
      const seen: HookEvent[] = [];
      const { result } = await gated({ run: fail, hooks: chain([], [{ context: "try again" }], seen) });
      expect(result).toMatchObject({
        status: "failed",
        text: "no such file\n\n[context added by a hook]\ntry again",
      });
      expect(seen[1]?.tool).toEqual({ ...CALL, error: "no such file" });
    }
  });
});

test("a call is not made where plan mode was switched on while its hooks ran, or the user thought", async () => {
  for (const moment of ["hooks", "confirm"]) {
    let isPlanning = false;
    const { result, ran } = await gated({
      planMode: () => (isPlanning ? "only planning" : undefined),
      hooks: {
        run(event) {
          isPlanning ||= moment === "hooks";
          return chain([]).run(event);
        },
      },
      confirm: async () => {
        isPlanning = true;
        return true;
      },
    });
    expect([result.status, result.text, ran]).toEqual(["refused", "only planning", []]);
  }
});

test("a call is not made where the turn was aborted while the user thought", async () => {
  const turn = new AbortController();
  let ran = false;
  const call = gate({
    hooks: chain([]),
    confirm: async () => {
      turn.abort();
      return true;
    },
    run: async () => {
      ran = true;
      return { output: "" };
    },
  });
  await expect(call(CALL, { ...TURN, signal: turn.signal })).rejects.toMatchObject({ code: "aborted" });
  expect(ran).toBe(false);
});

test("a call that the user declines is not made", async () => {
  const { result, ran, steps } = await gated({ confirm: async () => false });
  expect(result.status).toBe("declined");
  expect(ran).toEqual([]);
  expect(steps).not.toContain("postToolCall");
});

test("the runs and notices of all hooks are told, whatever became of the call", async () => {
  const { result } = await gated({ hooks: chain([{ notice: "one" }], [{ notice: "two" }]) });
  expect(result.notices.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(result.runs.map(({ event }) => event)).toEqual(["preToolCall", "postToolCall"]);
  const denied = await gated({ hooks: chain([{ notice: "one" }, { action: "deny" }]) });
  expect(denied.result.notices.map(({ text }) => text)).toEqual(["one"]);
});

test("whatever the chain decides, nothing runs that the floor or plan mode refuses, a deny blocks, or the user declines", async () => {
  const commands = ["ls", "rm -rf /", "git push", "sudo id"];
  const command = fc.constantFrom(...commands);
  const decision = fc.record(
    {
      action: fc.constantFrom("allow", "ask", "deny"),
      input: fc.record({ command }),
      context: fc.constantFrom("x", "y"),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Decision>;
  await fc.assert(
    fc.asyncProperty(
      fc.array(decision, { maxLength: 5 }),
      command,
      fc.subarray(commands),
      fc.subarray(commands),
      fc.boolean(),
      fc.boolean(),
      async (decisions, first, floored, planned, consents, needs) => {
        const refuse = (list: string[]) => (call: Call) =>
          list.includes(String(call.input.command)) ? "refused" : undefined;
        const { result, ran, questions } = await gated(
          {
            hooks: chain(decisions),
            floor: refuse(floored),
            planMode: refuse(planned),
            confirm: async () => consents,
            needsConsent: () => needs,
          },
          { name: "bash", input: { command: first } },
        );
        const refused = [...floored, ...planned];
        for (const { input } of ran) expect(refused).not.toContain(input.command);
        if (refused.includes(first)) expect(result.status).toBe("refused");
        // What the chain comes to, said again in a few words.
        const end = decisions.findIndex(({ action }) => action === "deny");
        const before = end < 0 ? decisions : decisions.slice(0, end + 1);
        const last = before.reduce<string>((text, { input }) => String(input?.command ?? text), first);
        const isDenied = end >= 0;
        const asks = before.some(({ action }) => action === "ask");
        const allows = !asks && before.some(({ action }) => action === "allow");
        const isAsked = asks || (needs && !allows);
        const runs =
          !refused.includes(first) && !isDenied && !refused.includes(last) && (!isAsked || consents);
        expect(ran.map(({ input }) => input.command)).toEqual(runs ? [last] : []);
        if (isDenied) expect(questions).toEqual([]);
      },
    ),
    { numRuns: 2000 },
  );
});
