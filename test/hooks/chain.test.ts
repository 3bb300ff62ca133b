import { describe, expect, it } from "vitest";
import { runChain } from "#src/hooks/chain";
import type { HookEvent } from "#src/hooks/event";
import type { OnError } from "#src/hooks/hook";
import { commandHook } from "../support/hooks.js";

const EVENT: HookEvent = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } };

describe("a matcher that throws makes its hook fail,", () => {
  const matcher = {
    source: "^(x)$",
    matches: () => {
      throw new RangeError("Maximum call stack size exceeded");
    },
  };
  it.each<[OnError, string, string[]]>([
    ["fail", "deny", ["thrower"]],
    ["warn", "none", ["thrower", "next"]],
    ["ignore", "none", ["thrower", "next"]],
  ])("and onError: %s says that the chain decides %s", async (onError, decision, ran) => {
    const hooks = [commandHook("thrower", { matcher, onError }), commandHook("next")];
    const started: string[] = [];
    const outcome = await runChain(hooks, EVENT, async ({ id }) => {
      started.push(id);
      return { durationMs: 1, decision: {} };
    });
    expect(outcome.decision).toBe(decision);
    expect(outcome.runs.map(({ hook }) => hook)).toEqual(ran);
    expect(outcome.runs[0]?.error).toEqual({
      code: "matcher-failed",
      message:
        "its matcher ^(x)$ cannot be matched with the tool's name (Maximum call stack size exceeded): write a simpler one",
    });
    expect(started).toEqual(ran.filter((id) => id !== "thrower"));
  });
});
