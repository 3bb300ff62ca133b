import { columnsOf } from "./columns.js";
import type { ToolCall } from "./event.js";
import type { Hook } from "./hook.js";
import type { JsonValue } from "./json.js";
import type { Notice, Run } from "./outcome.js";
import { printableLine } from "./printable.js";

/** As wide as the terminal is taken to be where it is not known. */
const COLUMNS = 80;

/**
 * The end of an agent's banner: its hooks by event, in the order in which these are first declared. Empty where there
 * are none. Source: the `mm` document.
 */
export function bannerText(hooks: readonly Hook[], eventName: (hook: Hook) => string): string {
  const counts = new Map<string, number>();
  for (const hook of hooks) counts.set(eventName(hook), (counts.get(eventName(hook)) ?? 0) + 1);
  if (counts.size === 0) return "";
  return `hooks: ${[...counts].map(([event, count]) => `${event}×${count}`).join(", ")}`;
}

/** What the line mode shows of a call that a hook denied. Source: the `mm` document. */
export function deniedLine(toolName: string, reason: string | undefined): string {
  const why = reason === undefined || reason === "" ? "" : `: ${printableLine(reason)}`;
  return `🪝 ${printableLine(toolName)} [denied by a hook${why}]`;
}

/** What stands in the history in place of a prompt that a hook stopped. Source: the `mm` document. */
export function blockedPrompt(reason: string | undefined): string {
  return reason === undefined || reason === ""
    ? "[prompt blocked by a hook]"
    : `[prompt blocked by a hook: ${reason}]`;
}

/**
 * The title of a denied call in an editor: `<tool>: <command> — denied by a hook`. What the call is about is its
 * command, its path or its arguments. Source: the `mm` document.
 */
export function deniedTitle(tool: Pick<ToolCall, "name" | "input">, columns = COLUMNS): string {
  const end = " — denied by a hook";
  const start = `${printableLine(tool.name)}: `;
  return `${start}${printableLine(subjectOf(tool), Math.max(1, columns - columnsOf(start + end)))}${end}`;
}

/** What a tool call is about, in a line: its command, its path, or else its arguments. */
export function subjectOf({ input }: Pick<ToolCall, "input">): string {
  const told = [input.command, input.path, input.file_path].find(isText);
  return told ?? JSON.stringify(input);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

/** A line of `displayHooks: true`: the event, the hook's command and what it decided. Source: the `mm` document. */
export function runLine({ event, label, decided }: Run, columns = COLUMNS): string {
  const start = `🪝 ${event}  `;
  const end = `  ${decided}`;
  return `${start}${printableLine(label, Math.max(1, columns - columnsOf(start + end)))}${end}`;
}

/** A notice in the scrollback; an agent shows it dim. */
export function noticeLine({ kind, text }: Notice): string {
  return `🪝 ${kind === "warning" ? "warning: " : ""}${printableLine(text)}`;
}

/**
 * What hooks did, for the scrollback: which blocked the call, approved it or added context. Source: the mnemoai
 * document.
 */
export function deedLines(runs: readonly Run[], toolName: string, columns = COLUMNS): string[] {
  return runs.flatMap(({ label, decided }) => {
    const deeds = decided.split(", ").flatMap((said) => deedOf(said, printableLine(toolName)));
    if (deeds.length === 0) return [];
    const end = ` ${deeds.join(" and ")}`;
    return [`🪝 ${printableLine(label, Math.max(1, columns - columnsOf(`🪝 ${end}`)))}${end}`];
  });
}

function deedOf(said: string, toolName: string): string[] {
  if (said === "deny") return [`blocked ${toolName}`];
  if (said === "allow") return [`approved ${toolName}`];
  if (said === "input") return [`rewrote the arguments of ${toolName}`];
  return said.startsWith("context ") ? ["added context"] : [];
}
