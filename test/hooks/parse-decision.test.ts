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
    [
      "preToolCall",
      '{"action":"block"}',
      /^the decision's "action" is "block": use deny, allow, ask or stop$/,
    ],
    [
      "preToolCall",
      '{"action":["deny"]}',
      /^the decision's "action" is a list: use deny, allow, ask or stop$/,
    ],
    ["preToolCall", '{"input":[1]}', /^the decision's "input" is a list: give an object$/],
    ["preToolCall", '{"input":"ls"}', /^the decision's "input" is "ls": give an object$/],
    ["preToolCall", '{"input":null}', /^the decision's "input" is null: give an object$/],
    ["preToolCall", '{"action":"deny","reason":5}', /^the decision's "reason" is 5: give a string$/],
    ["preToolCall", '{"reason":"r"}', /"reason" is given without an "action"/],
    ["preToolCall", '{"action":"deny","response":"r"}', /"response" is given without "action": "stop"/],
    ["preToolCall", '{"action":"deny"}{"action":"allow"}', /not one JSON object/],
    ["preToolCall", "[]", /^the output is a list: print nothing but the JSON object$/],
    ["preToolCall", "null", /^the output is null: print nothing/],
    ["preToolCall", '"deny"', /^the output is "deny": print nothing/],
    ["preToolCall", "deny", /not one JSON object: it starts with "deny"/],
    [
      "preToolCall",
      '{"actoin":"deny","notice":"x"}',
      /^a decision has no field "actoin" \(did you mean "action"\?\): use /,
    ],
    [
      "preToolCall",
      '{"action":"allow","x":1}',
      /^a decision has no field "x": use action, reason, response, input, /,
    ],
    ["preToolCall", '{"context":"c","input":{},"x":1}', /^a decision has no field "x"/],
    [
      "preToolCall",
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      /^a decision has no field "hookSpecific/,
    ],
    ["postToolCall", '{"action":"deny","x":1}', /"deny" cannot be decided at postToolCall/],
    [
      "preToolCall",
      '{"action":"deny","action":"allow"}',
      /^the decision has "action" twice, .*: give it once$/,
    ],
    ["preToolCall", '{"action":"deny","\\u0061ction":"allow"}', /^the decision has "action" twice/],
    ["preToolCall", '{"acton":"deny"}', /no field "acton" \(did you mean "action"/],
  ])("at %s must not be %s", (moment, text, message) => {
    expect(refusal(text, moment)).toMatch(message);
  });

  it.each<[Moment, object]>([
    ["preToolCall", { action: "deny" }],
    ["preToolCall", { action: "ask", reason: "r" }],
    ["preGeneration", { action: "stop", response: "no" }],
  ])("at %s that is %j holds in spite of a stray field, which is told", (moment, said) => {
    const { decision, ignored } = parseDecision(JSON.stringify({ reson: "x", ...said }), moment);
    expect(decision).toEqual(said);
    expect(ignored).toEqual(['a decision has no field "reson" (did you mean "reason"?)']);
  });

  it("of very many stray fields tells of three, and how many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 120_000 }, (_, i) => [`field${i}`, 1]));
    const { decision, ignored } = parseDecision(JSON.stringify({ action: "deny", ...many }), "preToolCall");
    expect(decision).toEqual({ action: "deny" });
    expect(ignored).toEqual([expect.stringMatching(/^.* "field0", "field1", "field2" and 119997 more$/)]);
    expect(refusal(JSON.stringify(many), "preToolCall")).toMatch(/ and 119997 more: use action, /);
  });

  it("may not be nested so deep that an encoder would fail on it", () => {
    const deep = `{"input":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
    expect(refusal(deep, "preToolCall")).toMatch(/nested deeper than 512/);
  });

  it("does not reach a prototype through __proto__", () => {
    const { decision } = parseDecision('{"input":{"__proto__":{"polluted":1}}}', "preToolCall");
    expect(JSON.stringify(decision.input)).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(refusal('{"__proto__":{"action":"deny"},"context":"c"}', "preToolCall")).toMatch(
      /no field "__proto__"/,
    );
  });
});
