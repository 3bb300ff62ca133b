import { expect, test } from "vitest";
import type { HookChain } from "#src/hooks/ask-hooks";
import { runChain } from "#src/hooks/chain";
import type { Decision } from "#src/hooks/decision";
import type { HookEvent } from "#src/hooks/event";
import { type GatedPrompt, promptGate } from "#src/hooks/prompt-gate";
import { commandHook } from "../support/hooks.js";

async function asked(
  prompt: string,
  ...decisions: Decision[]
): Promise<{ result: GatedPrompt; prompts: string[]; events: HookEvent[] }> {
  const prompts: string[] = [];
  const events: HookEvent[] = [];
  const hooks = decisions.map((_, i) => commandHook(`${i}`, { moment: "preGeneration" }));
  const chain: HookChain = {
    run(event) {
      events.push(event);
      return runChain(hooks, event, async (hook) => ({
        durationMs: 0,
        decision: decisions[Number(hook.id)] ?? {},
      }));
    },
  };
  const generate = async (text: string) => {
    prompts.push(text);
    return "the answer";
  };
  const result = await promptGate({ hooks: chain, generate })(prompt, { cwd: "/work", session: "s" });
  return { result, prompts, events };
}

test("a question passes the hooks, the model, and the hooks after it", async () => {
  const { result, prompts, events } = await asked("Why?");
  expect(result).toEqual({
    status: "answered",
    prompt: "Why?",
    response: "the answer",
    notices: [],
    runs: [],
  });
  expect(prompts).toEqual(["Why?"]);
  expect(events).toEqual([
    { event: "preGeneration", cwd: "/work", session: "s", prompt: "Why?" },
    { event: "postGeneration", cwd: "/work", session: "s", prompt: "Why?", response: "the answer" },
  ]);
});

test("a question that a hook stops does not reach the model; the user reads the response", async () => {
  const { result, prompts, events } = await asked("Why?", {
    action: "stop",
    reason: "secrets",
    response: "Ask without the key.",
  });
  expect(result).toMatchObject({
    status: "stopped",
    prompt: "[prompt blocked by a hook: secrets]",
    response: "Ask without the key.",
  });
  expect([prompts, events.length]).toEqual([[], 1]);
});

test("a question that a hook stops without a response says why", async () => {
  expect((await asked("Why?", { action: "stop", reason: "secrets" })).result.response).toBe("secrets");
});

test("a question that hooks rewrote and added to is what the model and the history get", async () => {
  const { result, prompts, events } = await asked(
    "Why?",
    { prompt: "Why not?" },
    { context: "a" },
    { context: "b" },
  );
  const text = "Why not?\n\n[context added by a hook]\na\nb";
  expect([result.prompt, ...prompts]).toEqual([text, text]);
  expect(events[1]).toMatchObject({ prompt: "Why not?", response: "the answer" });
});

test("a question that is no event is stopped", async () => {
  const chain: HookChain = { run: () => Promise.reject(new Error("not ours")) };
  const gate = promptGate({ hooks: chain, generate: async () => "the answer" });
  await expect(gate("Why?", { cwd: "/work" })).rejects.toThrow("not ours");
});
