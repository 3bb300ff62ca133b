import { describe, expect, it } from "vitest";
import { WasmhookError } from "#src/errors";
import { parseEvent } from "#src/hooks/parse-event";

const TOOL = { name: "bash", input: { command: "ls" } };

function refusal(value: unknown): [code: string, message: string] {
  try {
    parseEvent(value);
  } catch (error) {
    if (error instanceof WasmhookError) return [error.code, error.message];
    throw error;
  }
  return ["accepted", ""];
}

describe("an event", () => {
  it("of each moment is accepted as it is, fields of the agent's own included", () => {
    for (const event of [
      { event: "preGeneration", cwd: "/a", prompt: "p", turn: 3 },
      { event: "preToolCall", cwd: "/a", session: "s", agent: "mm", tool: { ...TOOL, call_id: "7" } },
      { event: "postToolCall", cwd: "/a", tool: { ...TOOL, output: "o" } },
      { event: "postToolCall", cwd: "/a", tool: { ...TOOL, error: "e" } },
      { event: "postGeneration", cwd: "/a", prompt: "p", response: "r" },
    ]) {
      expect(parseEvent(event)).toBe(event);
    }
  });

  it.each<[unknown, string, RegExp]>([
    [[], "event-not-object", /not a JSON object/],
    [null, "event-not-object", /not a JSON object/],
    ["preToolCall", "event-not-object", /not a JSON object/],
    [
      { event: "preTool", cwd: "/a" },
      "event-unknown",
      /"event" is preTool, which is no event: did you mean preToolCall\?/,
    ],
    [{ event: "toString", cwd: "/a" }, "event-unknown", /use one of preGeneration/],
    [{ cwd: "/a" }, "event-unknown", /"event" is nothing/],
    [{ event: 7, cwd: "/a" }, "event-unknown", /"event" is 7/],
    [
      { event: "preToolCall", cwd: "/a" },
      "event-without-tool",
      /the event preToolCall has no tool: add "tool"/,
    ],
    [{ event: "postToolCall", cwd: "/a", tool: "bash" }, "event-without-tool", /has no tool/],
    [{ event: "preToolCall", cwd: "a", tool: TOOL }, "bad-event", /"cwd" is not an absolute path/],
    [{ event: "preToolCall", tool: TOOL }, "bad-event", /"cwd" is not an absolute path/],
    [
      { event: "preToolCall", cwd: "/a", tool: { name: "", input: {} } },
      "bad-event",
      /^the event's "tool.name" is empty: give the tool's name$/,
    ],
    [
      { event: "preToolCall", cwd: "/a", tool: { name: "x", input: [] } },
      "bad-event",
      /^the event's "tool.input" is a list: give an object$/,
    ],
    [
      { event: "preToolCall", cwd: "/a", tool: { input: {} } },
      "bad-event",
      /"tool.name" is missing: give a string$/,
    ],
    [
      { event: "postGeneration", cwd: "/a", tool: 5 },
      "bad-event",
      /^the event's "tool" is 5: give an object$/,
    ],
    [
      { event: "postGeneration", cwd: "/a", response: "x".repeat(50), prompt: {} },
      "bad-event",
      /"prompt" is an object: give a/,
    ],
    [{ event: "preGeneration", cwd: "/a" }, "bad-event", /preGeneration has no prompt/],
    [
      { event: "preGeneration", cwd: "/a", prompt: 1 },
      "bad-event",
      /^the event's "prompt" is 1: give a string$/,
    ],
  ])("must not be %j", (value, code, message) => {
    const [found, said] = refusal(value);
    expect(found).toBe(code);
    expect(said).toMatch(message);
  });

  it("nested too deep is refused, not a stack overflow", () => {
    let input: object = {};
    for (let i = 0; i < 100_000; i++) input = { a: input };
    expect(refusal({ event: "preToolCall", cwd: "/a", tool: { name: "x", input } })[0]).toBe("bad-event");
  });
});
