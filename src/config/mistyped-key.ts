import { distance } from "fastest-levenshtein";
import { MOMENTS } from "../hooks/event.js";

/**
 * What to do about a top-level key of an agent's file that is most likely a mistyped one of ours, which would
 * leave the agent without its guards. Most keys there are the agent's own, so that little is taken for mistyped:
 * ours in another spelling of case or with `-`, `_`, blanks between its words, one that starts alike and
 * differs by one edit, or two in a long one; and the name of an event, which belongs under `hooks`.
 */
export function fixOfMistyped(key: string, ours: readonly string[]): string | undefined {
  if (ours.includes(key)) return undefined;
  const moment = MOMENTS.find((name) => plain(name) === plain(key));
  if (moment !== undefined) return `events stand under "hooks": move it there, as "${moment}"`;
  const meant = ours.find((known) => isNear(plain(key), plain(known)));
  return meant && `did you mean "${meant}"?`;
}

function plain(key: string): string {
  return key.replace(/(?<=\w)[-_ ](?=\w)/g, "").toLowerCase();
}

function isNear(key: string, known: string): boolean {
  if (key[0] !== known[0] || Math.abs(key.length - known.length) > 2) return false;
  const edits = distance(key, known);
  // Two letters changed places: one slip of the fingers, two edits.
  const isSwap = edits === 2 && sorted(key) === sorted(known);
  return isSwap || edits <= (known.length > 8 ? 2 : 1);
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
