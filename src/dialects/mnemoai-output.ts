import { WasmhookError } from "../errors.js";
import { describeValue } from "../hooks/describe-value.js";
import type { HookEvent } from "../hooks/event.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../hooks/json.js";
import { checkDecision, parseOneObject } from "../hooks/parse-decision.js";
import type { ProgramOutput } from "../hooks/program-output.js";
import { tellUnknownFields } from "../hooks/unknown-fields.js";
import type { Reading } from "./dialect.js";
import { commandFailed, ignoredNotices } from "./reading.js";

const DENY_EXIT_CODE = 2;

/**
 * What a command of mnemoai said, by its exit code and its output. Source: the mnemoai hook document.
 * @throws WasmhookError `bad-decision`
 */
export function readMnemoaiOutput(output: ProgramOutput, event: HookEvent): Reading {
  const stdout = output.stdout.trim();
  if (output.exitCode === DENY_EXIT_CODE) {
    const reason = output.stderr.trim() || stdout || "blocked by a hook";
    if (event.event === "preToolCall") return { decision: { action: "deny", reason } };
    throw bad(`it exited with 2, which denies, but the tool has run: ${reason}`);
  }
  if (output.exitCode !== 0) return { failure: commandFailed(output) };
  if (speaksJson(stdout)) return readJson(parseOneObject(stdout), event);
  return { decision: {}, notices: stdout === "" ? [] : [{ kind: "info", text: stdout }] };
}

/** Whether output is meant as a decision, sound or not: such output must not pass for plain text. */
function speaksJson(stdout: string): boolean {
  if (stdout.startsWith("{")) return true;
  if (stdout.startsWith("[") && Array.isArray(parsed(stdout))) return true;
  const lastLine = stdout.slice(stdout.lastIndexOf("\n") + 1);
  const object = stdout.indexOf("\n{");
  return isJsonObject(parsed(lastLine)) || (object !== -1 && isJsonObject(parsed(stdout.slice(object))));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Beside the documented names, those that the agent itself reads. */
const FIELDS = [
  "decision",
  "reason",
  "additionalContext",
  "systemMessage",
  "permissionDecision",
  "permissionDecisionReason",
];

/** `systemMessage` is for the user, but for a verdict without a reason it is the reason. */
function readJson(said: JsonObject, event: HookEvent): Reading {
  const action = verdict(said);
  const ignored = tellUnknownFields(said, FIELDS, action === "deny");
  const reason = text(said, "reason") ?? text(said, "permissionDecisionReason");
  const message = text(said, "systemMessage");
  const context = text(said, "additionalContext");
  if (reason !== undefined && action === undefined) {
    throw bad('a reason is given without a verdict: add "decision": "deny" or "allow"', "decision");
  }
  const isReason = action !== undefined && reason === undefined;
  const canonical = {
    action,
    reason: isReason ? message : reason,
    context,
    notice: isReason ? undefined : message,
  };
  const { decision } = checkDecision(definedOf(canonical), event.event);
  return { decision, notices: ignoredNotices(ignored) };
}

/** Two that disagree are none: to take either would be to guess. */
function verdict(said: JsonObject): "allow" | "deny" | undefined {
  const names = ["decision", "permissionDecision"].filter((name) => Object.hasOwn(said, name));
  const [first, second] = names.map((name) => verdictOf(said[name] ?? null, name));
  if (second === undefined || second === first) return first;
  throw bad('"decision" and "permissionDecision" do not say the same: give one of them', "decision");
}

function verdictOf(value: JsonValue, name: string): "allow" | "deny" {
  const lower = typeof value === "string" ? value.toLowerCase() : value;
  if (lower === "allow" || lower === "deny") return lower;
  throw bad(`the decision's "${name}" is ${describeValue(value)}: use deny or allow`, name);
}

function text(said: JsonObject, name: string): string | undefined {
  if (!Object.hasOwn(said, name)) return undefined;
  const value = said[name] ?? null;
  if (typeof value === "string") return value;
  throw bad(`the decision's "${name}" is ${describeValue(value)}: give a string`, name);
}

function definedOf(value: Record<string, string | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function bad(message: string, field?: string): WasmhookError<"bad-decision"> {
  return new WasmhookError("bad-decision", message, field === undefined ? {} : { field });
}
