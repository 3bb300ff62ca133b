import { config } from "wasmhook/hook";
import type { JsonObject, JsonValue, PreToolCallDecision, TypedEvent } from "wasmhook/types";
import { commandsOf } from "./shell.js";

const REASON = "Force-pushing is not allowed here. Push without force, or ask the user to do it.";

/** Options of `git` itself that take the next word as their value. */
const WITH_VALUE = ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"];

/** How deep a command line is followed that stands quoted in another one, as in `sh -c "..."`. */
const DEEPEST = 4;

/** Denies `git push` with force. */
export function handle(event: TypedEvent): PreToolCallDecision {
  if (event.event !== "preToolCall" || !forbids(event.tool.input.command)) return {};
  const { reason = REASON } = (config() ?? {}) as JsonObject & { reason?: string };
  return { action: "deny", reason };
}

/** Whether it is to be denied: a command line, or the words of one, as some agents give it. */
function forbids(command: JsonValue | undefined): boolean {
  if (Array.isArray(command)) return forcesPush(command.map(String), 0);
  return typeof command === "string" && lineForcesPush(command, 0);
}

function lineForcesPush(line: string, depth: number): boolean {
  return commandsOf(line).some((words) => forcesPush(words, depth));
}

function forcesPush(words: string[], depth: number): boolean {
  return words.some((word, i) => {
    if (/(^|[/\\])git(\.exe)?$/i.test(word) && pushesWithForce(words.slice(i + 1))) return true;
    // A word with a blank in it was quoted: it may be a command line.
    return depth < DEEPEST && /\s/.test(word) && lineForcesPush(word, depth + 1);
  });
}

/** Of the words behind `git`. */
function pushesWithForce(words: string[]): boolean {
  let verb = 0;
  while (words[verb]?.startsWith("-")) verb += WITH_VALUE.includes(words[verb] ?? "") ? 2 : 1;
  return words[verb] === "push" && words.slice(verb + 1).some(isForce);
}

/** A refspec with a plus, or an option, of which git takes abbreviations. */
function isForce(word: string): boolean {
  if (word.startsWith("--force") || /^\+.|^-[^-o]*f/.test(word)) return true;
  return word.length > 2 && ["--force", "--mirror"].some((option) => option.startsWith(word));
}
