import { anyTool, type Matcher } from "../hooks/matcher.js";
import { stringOf } from "./keys.js";
import type { Report } from "./problem.js";
import { type Entry, quote } from "./tree.js";

/** Engines fail on very long patterns, some of them only when they match. */
const MAX_MATCHER_CHARS = 1000;

/** A `matcher`, made by the dialect's kind of pattern. */
export function readMatcher(entry: Entry, make: (source: string) => Matcher, report: Report): Matcher {
  const source = stringOf(entry, report);
  if (source === undefined) return anyTool();
  const { at } = entry.value;
  if (source.length > MAX_MATCHER_CHARS) {
    const message = `the matcher has ${source.length} characters: write at most ${MAX_MATCHER_CHARS}`;
    report("bad-matcher", at, message);
    return anyTool();
  }
  try {
    return make(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.slice(error.message.lastIndexOf(": ") + 2);
    report("bad-matcher", at, `${quote(source)} is no regular expression (${why}): correct it`);
    return anyTool();
  }
}
