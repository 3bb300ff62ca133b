import { describe, expect, it } from "vitest";
import { WasmhookError } from "#src/errors";
import { MOMENTS, type Moment } from "#src/hooks/event";
import { parseDecision } from "#src/hooks/parse-decision";

function refusal(text: string, moment: Moment): string {
  try {
    parseDecision(text, moment);
  } catch (error) {
    if (error instanceof WasmhookError && error.code === "bad-decision") return error.message;
    throw error;
  }
  return "accepted";
}

describe("a decision", () => {
  it.each(["", " \n\t", "{}", " {} \n"])("may be no opinion: %j", (text) => {
    for (const moment of MOMENTS) expect(parseDecision(text, moment)).toEqual({ decision: {}, ignored: [] });
  });

  it.each<[Moment, string]>([
    ["preGeneration", '{"action":"stop","reason":"r","response":"s"}'],
    ["preGeneration", '{"prompt":"p","context":"c","notice":"n"}'],
    ["preToolCall", '{"action":"deny","reason":"r"}'],
    ["preToolCall", '{"action":"allow","input":{"a":[1,{"b":null}]}}'],
    ["preToolCall", '{"action":"ask","context":"c"}'],
    ["postToolCall", '{"context":"c","notice":"n"}'],
    ["postGeneration", '{"notice":"n"}'],
  ])("at %s may be %s", (moment, text) => {
    expect(parseDecision(text, moment)).toEqual({ decision: JSON.parse(text), ignored: [] });
  });

  it.each<[Moment, string, RegExp]>([
    ["postToolCall", '{"action":"deny"}', /"deny" cannot be decided at postToolCall: the tool has run/],
    [
      "postGeneration",
      '{"context":"c"}',
      /"context" cannot be decided at postGeneration: the answer is given/,
    ],
    ["preGeneration", '{"action":"deny"}', /"deny" cannot be decided at preGeneration/],
    ["preToolCall", '{"action":"stop"}', /"stop" cannot be decided at preToolCall/],
    ["preGeneration", '{"input":{}}', /"input" cannot be decided at preGeneration/],
    ["preToolCall", '{"prompt":"p"}', /"prompt" cannot be decided at preToolCall/],
    ["preToolCall", '{"action":"block"}', /"action" is wrong/],
    ["preToolCall", '{"action":["deny"]}', /"action" is wrong/],
    ["preToolCall", '{"input":[1]}', /"input" is wrong/],
    ["preToolCall", '{"input":"ls"}', /"input" is wrong/],
    ["preToolCall", '{"input":null}', /"input" is wrong/],
    ["preToolCall", '{"action":"deny","reason":5}', /"reason" is wrong/],
    ["preToolCall", '{"reason":"r"}', /"reason" is given without an "action"/],
    ["preToolCall", '{"action":"deny","response":"r"}', /"response" is given without "action": "stop"/],
    ["preToolCall", '{"action":"deny"}{"action":"allow"}', /not one JSON object/],
    ["preToolCall", "[]", /not an object/],
    ["preToolCall", "null", /not an object/],
    ["preToolCall", '"deny"', /not an object/],
    ["preToolCall", "deny", /not one JSON object: it starts with "deny"/],
    [
      "preToolCall",
      '{"acton":"deny"}',
      /none of the known fields: "acton" is no field of a decision, did you mean "action"/,
    ],
  ])("at %s must not be %s", (moment, text, message) => {
    expect(refusal(text, moment)).toMatch(message);
  });

  it("keeps a clear deny that has a stray field beside it, and tells of the field", () => {
    const { decision, ignored } = parseDecision('{"action":"deny","reson":"x"}', "preToolCall");
    expect(decision).toEqual({ action: "deny" });
    expect(ignored).toEqual(['"reson" is no field of a decision, did you mean "reason"?']);
  });

  it("may not be nested so deep that an encoder would fail on it", () => {
    const deep = `{"input":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
    expect(refusal(deep, "preToolCall")).toMatch(/nested deeper than 512/);
  });

  it("does not reach a prototype through __proto__", () => {
    const { decision } = parseDecision('{"input":{"__proto__":{"polluted":1}}}', "preToolCall");
    expect(JSON.stringify(decision.input)).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const top = parseDecision('{"__proto__":{"action":"deny"},"context":"c"}', "preToolCall");
    expect(top.decision.action).toBeUndefined();
  });
});
