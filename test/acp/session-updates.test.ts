import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { deniedUpdate, runUpdate } from "#src/acp/session-updates";
import type { Run } from "#src/hooks/outcome";

const RUN: Run = {
  hook: "preToolCall[0]",
  label: 'node "$MM_CONFIG_DIR/hooks/no-force-push.js"',
  event: "preToolCall",
  runner: "command",
  decided: "deny",
  durationMs: 1,
};
const CALL = { name: "bash", input: { command: "git push -f" } };

const schema = JSON.parse(
  await readFile(new URL(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json")), "utf8"),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");
const isNotification = ajv.compile({ $ref: "acp#/$defs/SessionNotification" });

test("a hook that ran is a tool call that says what it was and what it decided", () => {
  expect(runUpdate(RUN, "hook-1")).toEqual({
    sessionUpdate: "tool_call",
    toolCallId: "hook-1",
    title: 'preToolCall hook: node "$MM_CONFIG_DIR/hooks/no-force-push.js"',
    kind: "other",
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "deny" } }],
    rawOutput: RUN,
  });
});

test("a hook that failed is a failed tool call, with the reason and its log", () => {
  const run: Run = {
    ...RUN,
    decided: "failed",
    error: { code: "out-of-fuel", message: "it ran out of fuel" },
    logs: [{ level: "info", message: "started" }],
  };
  expect(runUpdate(run, "hook-1")).toMatchObject({
    status: "failed",
    content: [{ content: { text: "failed: it ran out of fuel\ninfo: started" } }],
  });
});

test("a denied call is a failed tool call titled <tool>: <command> — denied by a hook", () => {
  expect(deniedUpdate(CALL, "not here", "call-1")).toEqual({
    sessionUpdate: "tool_call",
    toolCallId: "call-1",
    title: "bash: git push -f — denied by a hook",
    status: "failed",
    content: [{ type: "content", content: { type: "text", text: "not here" } }],
    rawInput: CALL.input,
  });
  expect(deniedUpdate(CALL, "not here", "call-1", { isAnnounced: true })).toMatchObject({
    sessionUpdate: "tool_call_update",
    title: "bash: git push -f — denied by a hook",
  });
});

test.each([
  ["a run", runUpdate(RUN, "1")],
  ["a failed run", runUpdate({ ...RUN, error: { code: "trap", message: "x" }, logs: [] }, "1")],
  ["a denied call", deniedUpdate(CALL, "no", "1")],
  ["a denied call that was announced", deniedUpdate(CALL, "no", "1", { isAnnounced: true })],
])("%s is what the protocol's own schema has", (_what, update) => {
  expect(isNotification({ sessionId: "s", update }) || isNotification.errors).toBe(true);
  expect(isNotification({ sessionId: "s", update: { ...update, title: 1 } })).toBe(false);
});
