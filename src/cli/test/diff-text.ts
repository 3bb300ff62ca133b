import { diffJson } from "diff";
import type { JsonObject } from "../../hooks/json.js";
import { printable } from "../../hooks/printable.js";
import { paint } from "../paint.js";

/** Lines that two documents may have more of each than they share; finding out takes long where that is many. */
const MOST_EDITS = 1000;
/** Lines that are alike are shown around those that are not, and no further. */
const CONTEXT_LINES = 2;

/** How `actual` differs from `expected`, line by line, keys sorted: `-` was expected, `+` came. */
export function diffText(expected: JsonObject, actual: JsonObject, color: boolean): string[] {
  const changes = diffJson(expected, actual, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return ["  (they differ in too many lines to show)"];
  return changes.flatMap(({ value, added, removed }, i) => {
    const lines = value.replace(/\n$/, "").split("\n").map(printable);
    if (added) return lines.map((line) => (color ? paint("green", `+ ${line}`) : `+ ${line}`));
    if (removed) return lines.map((line) => (color ? paint("red", `- ${line}`) : `- ${line}`));
    return around(lines, i > 0, i < changes.length - 1).map((line) => `  ${line}`);
  });
}

/** Of lines that are alike, those next to a difference. */
function around(lines: string[], differsBefore: boolean, differsAfter: boolean): string[] {
  const first = differsBefore ? lines.slice(0, CONTEXT_LINES) : [];
  const last = differsAfter ? lines.slice(-CONTEXT_LINES) : [];
  return first.length + last.length >= lines.length ? lines : [...first, "…", ...last];
}
