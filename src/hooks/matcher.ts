import { compileGlob } from "./glob.js";

/** Decides whether a hook is for a tool. `source` is as written in the config file, for listings. */
export interface Matcher {
  source: string;
  /** `undefined` where the event is not about a tool. */
  matches(toolName: string | undefined): boolean;
}

/** Matches every event. */
export function anyTool(source = ""): Matcher {
  return { source, matches: () => true };
}

/**
 * A regular expression on the tool's name, unanchored as `RegExp.prototype.test` has it. The engine backtracks:
 * one with a repetition in a repetition, such as `^(a+)+$`, can take for ever on some names of a few dozen
 * characters, and no deadline ends it. Who writes the config file has to write another.
 * @throws SyntaxError where the pattern is no regular expression.
 */
export function regexMatcher(source: string): Matcher {
  const pattern = compile(source);
  return { source, matches: (toolName) => toolName !== undefined && pattern.test(toolName) };
}

/** Unicode mode refuses escapes such as `\\-` that other engines take; those patterns mean the same without it. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/** A glob over the whole tool name, case-sensitive, as {@link compileGlob} reads it. */
export function globMatcher(source: string): Matcher {
  const test = compileGlob(source);
  return { source, matches: (toolName) => toolName !== undefined && test(toolName) };
}
