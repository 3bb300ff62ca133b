// The guard of README.md as a command hook: reads one event on stdin, and says what it decides as the agent
// that sent the event reads it.
const { readFileSync } = require("node:fs");
const { Failure } = require("./failure.cjs");
const { beforeGeneration } = require("./prompts.cjs");
const { afterCall, afterGeneration } = require("./results.cjs");
const { JUDGED, count } = require("./text.cjs");
const { beforeCall } = require("./tool-calls.cjs");

const JUDGES = {
  preGeneration: beforeGeneration,
  preToolCall: beforeCall,
  postToolCall: afterCall,
  postGeneration: afterGeneration,
};
const SHELLS = ["bash", "execute_bash", "shell", "run_command"];

function mmEvent(said) {
  const isLong = (key) => count(said.tool.input[key]) > JUDGED;
  return said.tool === undefined ? said : { ...said, tool: { ...said.tool, isLong } };
}

function mnemoaiEvent({ cwd, hook_event_name, tool_name, tool_input, tool_response }) {
  // What the agent has cut is listed, and the list is no part of the input.
  const { _truncated: cut = [], ...input } = tool_input;
  const result = hook_event_name === "PostToolUseFailure" ? "error" : "output";
  return {
    event: hook_event_name === "PreToolUse" ? "preToolCall" : "postToolCall",
    cwd,
    tool: { name: tool_name, input, isLong: (key) => cut.includes(key), [result]: tool_response },
  };
}

function sayToMm(decision) {
  if (Object.keys(decision).length > 0) process.stdout.write(JSON.stringify(decision));
}

function sayToMnemoai({ action, reason, context, notice }, { tool }) {
  const json = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
  if (action === "deny" && SHELLS.includes(tool.name)) {
    process.stderr.write(reason);
    process.exitCode = 2;
  } else if (action === "deny" || action === "allow") json({ decision: action, reason });
  else if (context !== undefined) json({ additionalContext: context });
  else if (notice !== undefined) process.stdout.write(`${notice}\n`);
}

const said = JSON.parse(readFileSync(0, "utf8"));
const isMnemoai = said.hook_event_name !== undefined;
const event = isMnemoai ? mnemoaiEvent(said) : mmEvent(said);
try {
  const decision = JUDGES[event.event](event);
  if (isMnemoai) sayToMnemoai(decision, event);
  else sayToMm(decision);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 1;
}
