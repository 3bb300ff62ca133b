import { readJson } from "../config/json-tree.js";
import type { Position } from "../config/position.js";

/** In a larger text that is not JSON, nobody is told where: finding that takes many times the text's size. */
const MAX_PLACED_CHARS = 1024 * 1024;

/**
 * What keeps a text from being JSON, and where: engines say so in ways of their own, or not at all. `says` fits behind
 * "is not JSON".
 */
export function jsonFault(text: string): { at?: Position; says: string } {
  let fault: { at: Position | undefined; message: string } | undefined;
  if (text.length <= MAX_PLACED_CHARS) {
    readJson(text, (code, at, message) => {
      if (code === "json-syntax") fault ??= { at, message };
    });
  }
  const { at, message } = fault ?? { message: "give one JSON object" };
  return at === undefined
    ? { says: `: ${message}` }
    : { at, says: ` at line ${at.line}, column ${at.column}: ${message}` };
}
