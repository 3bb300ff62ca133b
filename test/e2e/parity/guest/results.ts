import { Decision, Event, fail, Kind, notice, Tool } from "wasmhook/guest";
import {
  countCharacters,
  firstCharacters,
  includesAny,
  isBlank,
  isBlankText,
  JUDGED,
  judged,
  lower,
  trimmed,
  WithoutKeys,
} from "./text";

const STACK_TRACES = ["Traceback (most recent call last)", "panicked at", "Exception in thread"];

/** What is said after a tool call that succeeded. */
export function afterSuccess(tool: Tool): Decision {
  const output = tool.output;
  const seen = judged(output);
  const contexts: string[] = [];
  if (output == "") contexts.push("The tool gave no output.");
  if (seen.includes("\x1b[")) contexts.push("Escape sequences in the output are colours: ignore them.");
  const trace = stackTrace(seen);
  if (trace !== null) {
    contexts.push(`Stack trace in the output of ${tool.name}: ${firstCharacters(trimmed(trace), 120)}`);
  }
  if (countCharacters(output) >= JUDGED) contexts.push("The output is long: look only at what you need.");
  const edits = tool.input.get("edits");
  if (tool.name == "multi_edit" && edits.isArray) contexts.push(`${edits.length} edits were made.`);

  const notices: string[] = [];
  if (holdsAwsKey(seen)) notices.push(`the output of ${tool.name} holds what looks like an AWS key`);
  const timeout = tool.input.get("timeout");
  if (timeout.kind == Kind.Number && timeout.number() > 600)
    notices.push(`a timeout of ${timeout.stringify()} s`);
  return said(contexts, notices);
}

/** What is said after a tool call that failed. */
export function afterFailure(tool: Tool): Decision {
  const seen = judged(tool.error);
  if (isBlankText(tool.error)) return notice(`${tool.name} failed without a word`);
  const lowered = lower(seen);
  const contexts: string[] = [];
  if (includesAny(lowered, ["no such file", "enoent"]))
    contexts.push("Check the path: list the directory first.");
  if (includesAny(lowered, ["permission denied", "eacces"])) {
    contexts.push("You may not do this. Do not try it with sudo.");
  }
  if (includesAny(lowered, ["timed out", "etimedout"])) contexts.push("Try a smaller step.");
  const missing = missingProgram(seen);
  if (missing != "") contexts.push(`${missing} is not installed.`);
  if (contexts.length == 0) contexts.push("Read the message before you try again.");
  return said(contexts, []);
}

/** What is said after generation. */
export function afterGeneration(event: Event): Decision {
  if (!event.json.get("response").isString) return fail("a turn without a response cannot be judged");
  const response = event.response;
  const seen = judged(response);
  const notices: string[] = [];
  if (isBlankText(response)) notices.push("the model gave no answer");
  if (countFences(seen) % 2 == 1) notices.push("a code block is not closed");
  if (includesAny(seen, ["TODO", "FIXME"])) notices.push("the answer leaves work to do");
  if (lower(judged(event.prompt)).includes("deploy") && seen.includes("git push")) {
    notices.push("the answer deploys by hand");
  }
  if (new WithoutKeys(seen).count > 0) notices.push("the answer holds a key");
  if (countCharacters(response) >= JUDGED) notices.push("the answer is long");
  return said([], notices);
}

function said(contexts: string[], notices: string[]): Decision {
  const decision = new Decision();
  if (contexts.length > 0) decision.context(contexts.join("\n"));
  if (notices.length > 0) decision.notice(notices.join("; "));
  return decision;
}

function stackTrace(output: string): string | null {
  const lines = output.split("\n");
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].startsWith("    at ") || includesAny(lines[i], STACK_TRACES)) return lines[i];
  }
  return null;
}

function holdsAwsKey(text: string): bool {
  let at = text.indexOf("AKIA");
  while (at >= 0) {
    let end = at + 4;
    while (end < text.length && end < at + 20 && isCapitalOrDigit(text.charCodeAt(end))) end++;
    if (end == at + 20) return true;
    at = text.indexOf("AKIA", at + 1);
  }
  return false;
}

function isCapitalOrDigit(char: i32): bool {
  return (char >= 0x41 && char <= 0x5a) || (char >= 0x30 && char <= 0x39);
}

/** The word that stands before the first `: command not found`. */
function missingProgram(error: string): string {
  const end = error.indexOf(": command not found");
  let start = end;
  while (start > 0 && error.charCodeAt(start - 1) != 0x3a && !isBlank(error.charCodeAt(start - 1))) start--;
  return end < 0 ? "" : error.substring(start, end);
}

function countFences(text: string): i32 {
  let count = text.startsWith("```") ? 1 : 0;
  let at = text.indexOf("\n```");
  while (at >= 0) {
    count++;
    at = text.indexOf("\n```", at + 1);
  }
  return count;
}
