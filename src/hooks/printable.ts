import { fitColumns } from "./columns.js";

/** Control, bidirectional and line-separating characters: what would let a text write over what surrounds it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text of somebody else's, made safe to print on a terminal: unsafe characters are shown as `\u{…}`. Tab and line feed stay. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same on one line, runs of white space folded to one space, cut to so many columns with a `…`. */
export function printableLine(text: string, columns = Number.POSITIVE_INFINITY): string {
  const line = printable(text.trim().replace(/\s+/g, " "));
  return columns === Number.POSITIVE_INFINITY ? line : fitColumns(line, columns);
}

/** A value as a JSON document that is safe to print on a terminal: unsafe characters are escaped as JSON has it. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
