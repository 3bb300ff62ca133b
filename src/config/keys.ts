import { nearest } from "../hooks/nearest.js";
import type { ProblemCode, Report } from "./problem.js";
import { describe, type Entry, faultOfText, type MapNode, quote } from "./tree.js";

/** Reports every key that is not known, with the one that was most likely meant. */
export function checkKeys(map: MapNode, known: readonly string[], report: Report): void {
  for (const { key, keyAt } of map.entries.values()) {
    if (!known.includes(key)) report("unknown-key", keyAt, unknown("key", key, known));
  }
}

/** More words than these would hide what is wrong. */
const LISTED = 20;

/** Says that a word is not known, and which to write. */
export function unknown(kind: string, word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  const all = known.length > LISTED ? `one of ${known.length}, which the README lists` : known.join(", ");
  const fix = meant === undefined ? `use ${all}, or remove it` : `did you mean "${meant}"? (known: ${all})`;
  return `the ${kind} ${quote(word)} is not known here: ${fix}`;
}

/** The string that an entry holds; what is none, or could not be passed on as it is, is a problem. */
export function stringOf({ key, value }: Entry, report: Report): string | undefined {
  if (value.kind !== "scalar" || typeof value.value !== "string") {
    const fix = value.kind === "scalar" && value.value !== null ? "put it in quotes" : "write a string";
    report("bad-type", value.at, `"${key}" takes a string and not ${describe(value)}: ${fix}`);
    return undefined;
  }
  const fault = value.value.includes("\0") ? "holds a NUL character: remove it" : faultOfText(value.value);
  if (fault === undefined) return value.value;
  report("bad-value", value.at, `"${key}" ${fault}`);
  return undefined;
}

/** As `stringOf`, and not blank. */
export function textOf(entry: Entry, report: Report): string | undefined {
  const text = stringOf(entry, report);
  if (text?.trim() !== "") return text;
  report("bad-value", entry.value.at, `"${entry.key}" is empty: write what it is to be, or remove the hook`);
  return undefined;
}

/** One of some words; any other is a problem of the given code. */
export function wordOf<W extends string>(
  entry: Entry,
  words: readonly W[],
  report: Report,
  code: ProblemCode = "bad-value",
): W | undefined {
  const text = stringOf(entry, report);
  const word = words.find((known) => known === text);
  if (text !== undefined && word === undefined) {
    report(code, entry.value.at, unknown(`"${entry.key}" value`, text, words));
  }
  return word;
}
