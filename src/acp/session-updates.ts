import type { SessionUpdate, ToolCall, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Call } from "../hooks/gate.js";
import type { Run } from "../hooks/outcome.js";
import { printable, printableLine } from "../hooks/printable.js";
import { deniedTitle } from "../hooks/turn-text.js";

/** As long as an editor shows a title. */
const TITLE_COLUMNS = 120;

/**
 * A hook that ran, as a tool call of its own: what it was, what it decided, what it logged.
 *
 * @param toolCallId one that no other call of the session has
 */
export function runUpdate(run: Run, toolCallId: string): SessionUpdate {
  const { event, label, decided, error, logs = [] } = run;
  const lines = logs.map(({ level, message }) => `${level}: ${message}`);
  const said = error === undefined ? decided : `${decided}: ${error.message}`;
  return {
    sessionUpdate: "tool_call",
    toolCallId,
    title: `${event} hook: ${printableLine(label, TITLE_COLUMNS)}`,
    kind: "other",
    status: error === undefined ? "completed" : "failed",
    content: [textContent([said, ...lines].join("\n"))],
    rawOutput: run,
  };
}

/**
 * A call that a hook denied, as a failed tool call titled `<tool>: <command> — denied by a hook`.
 *
 * @param text what the model reads in place of an output: the reason, and the context that hooks added
 * @param isAnnounced whether the session knows the call already, so that this is an update of it
 */
export function deniedUpdate(
  call: Call,
  text: string,
  toolCallId: string,
  { isAnnounced = false } = {},
): SessionUpdate {
  const fields: ToolCall = {
    toolCallId,
    title: deniedTitle(call, TITLE_COLUMNS),
    status: "failed",
    content: [textContent(text)],
    rawInput: call.input,
  };
  return isAnnounced
    ? { sessionUpdate: "tool_call_update", ...fields }
    : { sessionUpdate: "tool_call", ...fields };
}

function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: printable(text) } };
}
