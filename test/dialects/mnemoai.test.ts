import { describe, expect, it } from "vitest";
import { mnemoai } from "#src/dialects/mnemoai";
import { WasmhookError } from "#src/errors";
import type { HookEvent } from "#src/hooks/event";

const DOCUMENT_EVENT = {
  session_id: "session_20260825_143210_8123_a4f1",
  cwd: "/Users/you/dev/project",
  hook_event_name: "PreToolUse",
  tool_name: "fs_write",
  tool_input: { path: "/Users/you/dev/project/app.py", content: "…" },
};
const EVENT = mnemoai.decodeEvent(DOCUMENT_EVENT);
const AFTER = mnemoai.decodeEvent({
  ...DOCUMENT_EVENT,
  hook_event_name: "PostToolUse",
  tool_response: "done",
});

const end = (over: { exitCode?: number; stdout?: string; stderr?: string }, event: HookEvent = EVENT) =>
  mnemoai.readCommand({ exitCode: 0, stdout: "", stderr: "", ...over }, event);

function refusal(value: unknown): [code: string, message: string] {
  try {
    mnemoai.decodeEvent(value);
  } catch (error) {
    if (error instanceof WasmhookError) return [error.code, error.message];
    throw error;
  }
  return ["accepted", ""];
}

describe("the event that mnemoai sends", () => {
  it("becomes the canonical event", () => {
    expect(EVENT).toEqual({
      event: "preToolCall",
      cwd: "/Users/you/dev/project",
      session: "session_20260825_143210_8123_a4f1",
      agent: "mnemoai",
      tool: { name: "fs_write", input: DOCUMENT_EVENT.tool_input },
    });
    expect(AFTER.event).toBe("postToolCall");
    expect(AFTER.tool).toEqual({ name: "fs_write", input: DOCUMENT_EVENT.tool_input, output: "done" });
  });

  it("of a failed call carries the response as the error", () => {
    const failed = mnemoai.decodeEvent({
      ...DOCUMENT_EVENT,
      hook_event_name: "PostToolUseFailure",
      tool_response: "no",
    });
    expect(failed.tool).toEqual({ name: "fs_write", input: DOCUMENT_EVENT.tool_input, error: "no" });
  });

  it.each<[unknown, string, RegExp]>([
    [[], "event-not-object", /not a JSON object/],
    [{ ...DOCUMENT_EVENT, hook_event_name: "PreToolUs" }, "event-unknown", /did you mean PreToolUse\?/],
    [{ ...DOCUMENT_EVENT, hook_event_name: undefined }, "event-unknown", /"hook_event_name" is missing/],
    [{ ...DOCUMENT_EVENT, tool_name: undefined }, "event-without-tool", /add "tool_name"/],
    [
      { ...DOCUMENT_EVENT, tool_name: "" },
      "bad-event",
      /^the event's "tool_name" is empty: give the tool's name$/,
    ],
    [
      { ...DOCUMENT_EVENT, tool_input: "x" },
      "bad-event",
      /^the event's "tool_input" is "x": give an object$/,
    ],
    [{ ...DOCUMENT_EVENT, tool_response: {} }, "bad-event", /"tool_response" is an object: give a string$/],
    [{ ...DOCUMENT_EVENT, session_id: 4 }, "bad-event", /"session_id" is 4: give a string$/],
    [{ ...DOCUMENT_EVENT, cwd: "relative" }, "bad-event", /"cwd" is not an absolute path/],
  ])("is refused when it is %j", (value, code, message) => {
    const [found, said] = refusal(value);
    expect(found).toBe(code);
    expect(said).toMatch(message);
  });
});

describe("what a command reads on stdin", () => {
  it("is the JSON of the document, tool_response only after the call", () => {
    expect(JSON.parse(mnemoai.encodeStdin(EVENT))).toEqual(DOCUMENT_EVENT);
    expect(JSON.parse(mnemoai.encodeStdin(AFTER))).toEqual({
      ...DOCUMENT_EVENT,
      hook_event_name: "PostToolUse",
      tool_response: "done",
    });
  });

  it("caps long string values, and lists them under _truncated", () => {
    const long = "x".repeat(20_001);
    const event = mnemoai.decodeEvent({
      ...DOCUMENT_EVENT,
      tool_input: { short: "s", long, deep: [{ long }] },
    });
    const { tool_input } = JSON.parse(mnemoai.encodeStdin(event)) as { tool_input: Record<string, unknown> };
    expect(tool_input).toEqual({
      short: "s",
      long: "x".repeat(20_000),
      deep: [{ long: "x".repeat(20_000) }],
      _truncated: ["long", "deep.0.long"],
    });
  });

  it("counts characters, and cuts none in two", () => {
    const smile = "😀".repeat(20_000);
    const event = mnemoai.decodeEvent({ ...DOCUMENT_EVENT, tool_input: { fits: smile, over: `${smile}😀` } });
    const { tool_input } = JSON.parse(mnemoai.encodeStdin(event)) as { tool_input: Record<string, unknown> };
    expect(tool_input).toEqual({ fits: smile, over: smile, _truncated: ["over"] });
  });

  it("exports MNEMOAI_HOOK_EVENT and MNEMOAI_TOOL_NAME", () => {
    expect(mnemoai.commandEnv(EVENT, "/x")).toEqual({
      MNEMOAI_HOOK_EVENT: "PreToolUse",
      MNEMOAI_TOOL_NAME: "fs_write",
    });
    const failed = mnemoai.decodeEvent({ ...DOCUMENT_EVENT, hook_event_name: "PostToolUseFailure" });
    expect(mnemoai.commandEnv(failed, "/x").MNEMOAI_HOOK_EVENT).toBe("PostToolUseFailure");
  });

  it("is given to real bash", () => {
    expect(mnemoai.shell).toEqual(["bash", "-c"]);
  });
});

describe("a mnemoai command", () => {
  it("that exits 0 lets the call proceed; its plain stdout is for the user", () => {
    expect(end({ stdout: "formatted 3 files\n", stderr: "debug" })).toEqual({
      decision: {},
      notices: [{ kind: "info", text: "formatted 3 files" }],
    });
    expect(end({})).toEqual({ decision: {}, notices: [] });
  });

  it("that exits 2 denies, with stderr as the reason", () => {
    expect(end({ exitCode: 2, stderr: "Blocked by a local hook.", stdout: "x" })).toMatchObject({
      decision: { action: "deny", reason: "Blocked by a local hook." },
    });
  });

  it("that exits 2 without a word still denies", () => {
    expect(end({ exitCode: 2 })).toMatchObject({ decision: { action: "deny", reason: "blocked by a hook" } });
  });

  it("that exits with anything else has failed", () => {
    expect(end({ exitCode: 1, stderr: "oops" })).toMatchObject({ failure: { code: "command-failed" } });
    expect(end({ exitCode: 127, stdout: '{"decision":"deny"}' })).toMatchObject({
      failure: { code: "command-failed" },
    });
  });

  it("prints the decisions of the document", () => {
    const reason = "Writes under secrets/ are blocked locally.";
    expect(end({ stdout: JSON.stringify({ decision: "deny", reason }) })).toMatchObject({
      decision: { action: "deny", reason },
    });
    expect(end({ stdout: '{ "decision": "allow" }' })).toMatchObject({ decision: { action: "allow" } });
    const additionalContext = "This repo pins ruff 0.6 — use that, not the system one.";
    expect(end({ stdout: JSON.stringify({ additionalContext }) }, AFTER)).toEqual({
      decision: { context: additionalContext },
      notices: [],
    });
  });

  it.each<[stdout: string, message: RegExp]>([
    ['{"decision":"denied"}', /^the decision's "decision" is "denied": use deny or allow$/],
    ['{"permissionDecision":"ask"}', /^the decision's "permissionDecision" is "ask": use deny or allow$/],
    ['{"decision":"deny"', /not one JSON object/],
    ['{"decison":"deny"}', /no field "decison" \(did you mean "decision"\?\)/],
    ['{"decision":"allow","x":1}', /^a decision has no field "x": use decision, reason, /],
    ['{"hookSpecificOutput":{},"systemMessage":"no"}', /^a decision has no field "hookSpecificOutput"/],
    ['{"additionalContext":5}', /^the decision's "additionalContext" is 5: give a string$/],
    ['{"decision":"deny","decision":"allow"}', /^the decision has "decision" twice/],
    [
      '{"decision":"allow","permissionDecision":"deny"}',
      /^"decision" and "permissionDecision" do not say the same: give one of/,
    ],
    ['{"reason":"no"}', /^a reason is given without a verdict: add "decision"/],
    ['{"permissionDecisionReason":"no","additionalContext":"c"}', /^a reason is given without a verdict/],
    ['["deny"]', /^the output is a list: print nothing but the JSON object$/],
    ['checking\n{"decision":"deny"}', /starts with "checking\\n.*; print nothing but the JSON object$/],
    ['[INFO] checking\n{"decision":"deny"}', /print nothing but the JSON object$/],
    ['checking\n  {"decision":"deny"}', /print nothing but the JSON object$/],
    ['checking\n{\n  "decision": "deny"\n}', /print nothing but the JSON object$/],
    ['{}\n{"decision":"deny"}', /print nothing but the JSON object$/],
  ])("has failed, and does not pass for plain text, when it prints %j", (stdout, message) => {
    const reading = end({ stdout });
    expect("failure" in reading && reading.failure.code).toBe("bad-decision");
    expect("failure" in reading && reading.failure.message).toMatch(message);
  });

  it.each(["[INFO] formatted", "[1, 2", 'so {"a":1}', "a\n{b}\nc", "5", "true"])(
    "may print %j, which is plain text",
    (stdout) => {
      expect(end({ stdout })).toEqual({ decision: {}, notices: [{ kind: "info", text: stdout }] });
    },
  );

  it("may say the same under two names", () => {
    const said = { decision: "DENY", permissionDecision: "deny", reason: "r", permissionDecisionReason: "r" };
    expect(end({ stdout: JSON.stringify(said) })).toEqual({
      decision: { action: "deny", reason: "r" },
      notices: [],
    });
  });

  it("has a systemMessage for the user, which is the reason of a verdict that has none", () => {
    const said = (fields: object) => end({ stdout: JSON.stringify({ systemMessage: "m", ...fields }) });
    expect(said({})).toMatchObject({ decision: { notice: "m" } });
    expect(said({ additionalContext: "c" })).toMatchObject({ decision: { notice: "m", context: "c" } });
    expect(said({ decision: "deny" })).toEqual({ decision: { action: "deny", reason: "m" }, notices: [] });
    expect(said({ decision: "deny", reason: "r" })).toEqual({
      decision: { action: "deny", reason: "r", notice: "m" },
      notices: [],
    });
  });

  it("gives its first reason where it has two", () => {
    const stdout = '{"decision":"deny","reason":"a","permissionDecisionReason":"b"}';
    expect(end({ stdout })).toMatchObject({ decision: { action: "deny", reason: "a" } });
  });

  it("cannot deny a call that has been made", () => {
    const failure = {
      code: "bad-decision",
      message: "it exited with 2, which denies, but the tool has run: no",
    };
    expect(end({ exitCode: 2, stderr: "no" }, AFTER)).toMatchObject({ failure });
    expect(end({ stdout: '{"decision":"deny"}' }, AFTER)).toMatchObject({
      failure: { code: "bad-decision" },
    });
  });

  it("keeps its deny when a stray field stands beside it", () => {
    const reading = end({ stdout: '{"decision":"deny","reasn":"x"}' });
    expect(reading).toMatchObject({ decision: { action: "deny" } });
    expect(reading.notices?.[0]?.text).toBe(
      'a decision has no field "reasn" (did you mean "reason"?): it had no effect',
    );
  });
});
