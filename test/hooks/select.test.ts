import { expect, it } from "vitest";
import type { HookEvent } from "#src/hooks/event";
import { regexMatcher } from "#src/hooks/matcher";
import { selects } from "#src/hooks/select";
import { commandHook } from "../support/hooks.js";

const after = (result: { output: string } | { error: string }): HookEvent => ({
  event: "postToolCall",
  cwd: "/tmp",
  tool: { name: "bash", input: {}, ...result },
});

it("a hook is for the events of its own moment", () => {
  expect(selects(commandHook("h", { moment: "preToolCall" }), after({ output: "" }))).toBe(false);
  expect(selects(commandHook("h", { moment: "postToolCall" }), after({ output: "" }))).toBe(true);
});

it("a hook for failures does not run after a success, nor the other way round", () => {
  const failure = commandHook("h", { moment: "postToolCall", when: "failure" });
  const success = commandHook("h", { moment: "postToolCall", when: "success" });
  expect(selects(failure, after({ output: "" }))).toBe(false);
  expect(selects(failure, after({ error: "" }))).toBe(true);
  expect(selects(success, after({ output: "" }))).toBe(true);
  expect(selects(success, after({ error: "boom" }))).toBe(false);
});

it("a hook with a matcher is for the tools that it matches", () => {
  const hook = commandHook("h", { moment: "postToolCall", matcher: regexMatcher("^fs_") });
  expect(selects(hook, after({ output: "" }))).toBe(false);
});
