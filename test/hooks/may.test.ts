import { describe, expect, it } from "vitest";
import type { Decision } from "#src/hooks/decision";
import { applyGrants, GRANTS, type Grant } from "#src/hooks/may";

/** What a decision can hold, each alone; a reason and a response go with their action. */
const PARTS: Record<Grant, Decision> = {
  deny: { action: "deny", reason: "r" },
  ask: { action: "ask", reason: "r" },
  stop: { action: "stop", reason: "r", response: "s" },
  allow: { action: "allow", reason: "r" },
  context: { context: "c" },
  prompt: { prompt: "p" },
  input: { input: { a: 1 } },
  notice: { notice: "n" },
};

describe.each(Object.entries(PARTS) as [Grant, Decision][])("the grant %s", (grant, said) => {
  const others = new Set(GRANTS.filter((other) => other !== grant));

  it("lets through what it is for, and nothing else of a decision", () => {
    const decision = { input: { a: 2 }, prompt: "q", context: "d", notice: "m", ...said };
    const dropped = ["input", "prompt", "context", "notice"].filter((part) => part !== grant);
    expect(applyGrants(decision, new Set([grant]))).toEqual({ decision: said, dropped });
  });

  it("is wanted for what it is for, whatever others there are", () => {
    expect(applyGrants(said, others)).toEqual({ decision: {}, dropped: [grant] });
  });
});

it("nothing is dropped where there is no opinion", () => {
  expect(applyGrants({}, new Set())).toEqual({ decision: {}, dropped: [] });
});
