// What the regular expression /\bgit\s+push\b.*(--force|-f\b)/ finds, which a hook of a few lines would use:
// it also finds what no reading of the command shows, in a text that is only printed, say.

const PUSH = "push";

export function looksLikeForcePush(text: string): bool {
  // Up to here no force was found; looking anew for each push of a long line would take for ever.
  let checked = 0;
  for (let git = 0; git < text.length; git++) {
    if (text.charCodeAt(git) != 0x67 || text.substr(git, 3) != "git" || isWordAt(text, git - 1)) continue;
    const push = skipBlanks(text, git + 3);
    if (push == git + 3 || text.substr(push, PUSH.length) != PUSH) continue;
    const rest = push + PUSH.length;
    if (isWordAt(text, rest) || rest < checked) continue;
    checked = lineEnd(text, rest);
    if (hasForce(text, rest, checked)) return true;
  }
  return false;
}

function hasForce(text: string, from: i32, end: i32): bool {
  for (let i = from; i < end; i++) {
    if (text.charCodeAt(i) != 0x2d) continue;
    if (text.charCodeAt(i + 1) == 0x66 && !isWordAt(text, i + 2)) return true;
    if (text.substr(i, 7) == "--force") return true;
  }
  return false;
}

function lineEnd(text: string, from: i32): i32 {
  while (from < text.length && !isLineEnd(text.charCodeAt(from))) from++;
  return from;
}

function skipBlanks(text: string, from: i32): i32 {
  while (from < text.length && isBlank(text.charCodeAt(from))) from++;
  return from;
}

/** A letter, a digit or `_`; false outside of the text. */
function isWordAt(text: string, at: i32): bool {
  if (at < 0 || at >= text.length) return false;
  const char = text.charCodeAt(at);
  if (char >= 0x30 && char <= 0x39) return true;
  if (char >= 0x41 && char <= 0x5a) return true;
  return (char >= 0x61 && char <= 0x7a) || char == 0x5f;
}

/** What `\s` matches. */
function isBlank(char: i32): bool {
  if (char == 0x20 || (char >= 0x09 && char <= 0x0d) || char == 0xa0) return true;
  if (char < 0x1680) return false;
  return (
    char == 0x1680 || (char >= 0x2000 && char <= 0x200a) || char == 0x202f || char == 0x205f ||
    char == 0x3000 || char == 0xfeff || isLineEnd(char)
  );
}

/** What `.` does not match. */
function isLineEnd(char: i32): bool {
  return char == 0x0a || char == 0x0d || char == 0x2028 || char == 0x2029;
}
