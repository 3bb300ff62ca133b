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
 * A regular expression on the tool's name, unanchored as `RegExp.prototype.test` has it.
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

/**
 * A glob over the whole tool name, case-sensitive: `*`, `?`, `[set]`, `[!set]`, as Python's
 * `fnmatch.fnmatchcase` reads them (a `[` that is never closed stands for itself).
 */
export function globMatcher(source: string): Matcher {
  const pattern = new RegExp(`^(?:${globToRegex(source)})$`, "su");
  return { source, matches: (toolName) => toolName !== undefined && pattern.test(toolName) };
}

function globToRegex(glob: string): string {
  let regex = "";
  const chars = [...glob];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] as string;
    if (char === "*") {
      // Runs of stars mean one star; folding them keeps the regular expression linear.
      while (chars[i + 1] === "*") i++;
      regex += ".*";
    } else if (char === "?") {
      regex += ".";
    } else if (char === "[") {
      const close = endOfSet(chars, i);
      if (close === -1) {
        regex += "\\[";
      } else {
        regex += setToRegex(chars.slice(i + 1, close));
        i = close;
      }
    } else {
      regex += escapeRegex(char);
    }
  }
  return regex;
}

/** The index of the `]` that closes the set opened at `open`, or -1. A `]` right after `[` or `[!` is a member. */
function endOfSet(chars: string[], open: number): number {
  let i = open + 1;
  if (chars[i] === "!") i++;
  if (chars[i] === "]") i++;
  while (i < chars.length && chars[i] !== "]") i++;
  return i < chars.length ? i : -1;
}

function setToRegex(members: string[]): string {
  const negated = members[0] === "!";
  const rest = negated ? members.slice(1) : members;
  const ranges: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const from = rest[i] as string;
    const to = rest[i + 2];
    if (rest[i + 1] === "-" && to !== undefined) {
      // An empty range such as [z-a] matches nothing, and is no error.
      if ((from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0))
        ranges.push(`${escapeRegex(from)}-${escapeRegex(to)}`);
      i += 2;
    } else {
      ranges.push(escapeRegex(from));
    }
  }
  if (ranges.length === 0) return negated ? "." : "(?!)";
  return `[${negated ? "^" : ""}${ranges.join("")}]`;
}

function escapeRegex(char: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(char) ? `\\${char}` : char;
}
