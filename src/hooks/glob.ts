type Token =
  | "star"
  /** One character. */
  | { negated: boolean; ranges: readonly (readonly [from: string, to: string])[] };

/**
 * Reads a glob as Python's `fnmatch.fnmatchcase` does: `*`, `?`, `[set]`, `[!set]`; a `[` that is never closed
 * stands for itself. The test takes time in proportion to the product of the two lengths at the most.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const tokens = tokensOf([...glob]);
  return (text) => matchesAll(tokens, [...text]);
}

/** Going back to the last star alone is enough: what an earlier one took can be left as it is. */
function matchesAll(tokens: readonly Token[], chars: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starEnd = 0;
  for (let i = 0; i < chars.length; ) {
    const token = tokens[at];
    if (token === "star") {
      star = at++;
      starEnd = i;
    } else if (token !== undefined && takes(token, chars[i] as string)) {
      at++;
      i++;
    } else if (star !== -1) {
      at = star + 1;
      i = ++starEnd;
    } else return false;
  }
  return tokens.slice(at).every((token) => token === "star");
}

function takes({ negated, ranges }: Exclude<Token, "star">, char: string): boolean {
  const code = codeOf(char);
  return ranges.some(([from, to]) => codeOf(from) <= code && code <= codeOf(to)) !== negated;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function tokensOf(chars: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] as string;
    const close = char === "[" ? endOfSet(chars, i) : -1;
    if (char === "*") {
      tokens.push("star");
    } else if (char === "?") {
      tokens.push({ negated: true, ranges: [] });
    } else if (close !== -1) {
      tokens.push(setOf(chars.slice(i + 1, close)));
      i = close;
    } else {
      tokens.push({ negated: false, ranges: [[char, char]] });
    }
  }
  return tokens;
}

/** The index of the `]` that closes the set opened at `open`, or -1. A `]` right after `[` or `[!` is a member. */
function endOfSet(chars: readonly string[], open: number): number {
  const first = open + (chars[open + 1] === "!" ? 2 : 1);
  return chars.indexOf("]", chars[first] === "]" ? first + 1 : first);
}

function setOf(members: readonly string[]): Token {
  const negated = members[0] === "!";
  const rest = negated ? members.slice(1) : members;
  const ranges: [string, string][] = [];
  for (let i = 0; i < rest.length; i++) {
    const from = rest[i] as string;
    const to = rest[i + 2];
    const isRange = rest[i + 1] === "-" && to !== undefined;
    // A range such as [z-a] is empty, and no error.
    ranges.push([from, isRange ? to : from]);
    if (isRange) i += 2;
  }
  return { negated, ranges };
}
