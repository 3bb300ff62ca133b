import {
  DASH, at, hasLetters, isBase64, isBearer, isBlank, isDigit, isLetterOrDigit, isUpper, isWord,
} from "./characters";

/** A secret in a text: where it starts and ends, and what it is. */
export class Secret {
  constructor(
    readonly start: i32,
    readonly end: i32,
    readonly name: string,
  ) {}
}

/** What the secrets that are known by their looks can begin with. */
export const FIRST = "-AgBbSs";

/** The secret that a place is the beginning of; two letters tell for most places that there is none. */
export function secretAt(text: string, index: i32): Secret | null {
  const next = at(text, index + 1);
  switch (at(text, index)) {
    case DASH:
      return next == DASH ? privateKey(text, index) : null;
    case 0x41: // A
      return isUpper(next) && startsWord(text, index) ? awsKeyId(text, index) : null;
    case 0x67: // g, before h or i
      return next >> 1 == 0x34 && startsWord(text, index) ? gitHubToken(text, index) : null;
    case 0x42: // b, before e
    case 0x62:
      return (next | 0x20) == 0x65 && startsWord(text, index) ? bearerToken(text, index) : null;
    case 0x53: // s, before e
    case 0x73:
      return (next | 0x20) == 0x65 ? awsSecret(text, index) : null;
    default:
      return null;
  }
}

function startsWord(text: string, index: i32): bool {
  return !isLetterOrDigit(at(text, index - 1));
}

/** `AKIA` or `ASIA` and 16 capitals or digits. */
function awsKeyId(text: string, index: i32): Secret | null {
  const kind = text.substr(index, 4);
  if (kind != "AKIA" && kind != "ASIA" && kind != "ABIA" && kind != "ACCA") return null;
  const end = index + 20;
  for (let i = index + 4; i < end; i++) {
    if (!isUpper(at(text, i)) && !isDigit(at(text, i))) return null;
  }
  return isLetterOrDigit(at(text, end)) ? null : new Secret(index, end, "AWS access key id");
}

/** What is assigned to a `secret_access_key` or a `session_token`, in whatever spelling of the two. */
function awsSecret(text: string, index: i32): Secret | null {
  let end = phrase(text, index, "secret", "access", "key");
  if (end < 0) end = phrase(text, index, "session", "token", "");
  if (end < 0) return null;
  let isAssigned = false;
  let start = end;
  // Quotes, spaces and the backslashes of escaped quotes may stand around the sign.
  while (start < end + 8 && !isBase64(at(text, start)) || at(text, start) == 0x3d) {
    if (at(text, start) == 0x3d || at(text, start) == 0x3a) isAssigned = true;
    start++;
  }
  const after = runEnd(text, start, isBase64);
  return isAssigned && after - start >= 40 ? new Secret(start, after, "AWS secret") : null;
}

/** The end of words that are written together, or with `_` or `-` in between; -1 where they are not there. */
function phrase(text: string, index: i32, first: string, second: string, third: string): i32 {
  if (!hasLetters(text, index, first)) return -1;
  index = joint(text, index + first.length);
  if (!hasLetters(text, index, second)) return -1;
  index += second.length;
  if (third == "") return index;
  index = joint(text, index);
  return hasLetters(text, index, third) ? index + third.length : -1;
}

function joint(text: string, index: i32): i32 {
  return at(text, index) == 0x5f || at(text, index) == DASH ? index + 1 : index;
}

/** `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_` or `github_pat_` and 20 or more letters, digits and `_`. */
function gitHubToken(text: string, index: i32): Secret | null {
  let start = index + 4;
  if (text.substr(index, 11) == "github_pat_") start = index + 11;
  else if (at(text, index + 1) != 0x68 || at(text, index + 3) != 0x5f || !"pousr".includes(text.charAt(index + 2))) {
    return null;
  }
  const end = runEnd(text, start, isWord);
  return end - start >= 20 ? new Secret(index, end, "GitHub token") : null;
}

/** `Bearer` and a token of 16 or more characters; the word itself stays. */
function bearerToken(text: string, index: i32): Secret | null {
  if (!hasLetters(text, index, "bearer")) return null;
  const start = runEnd(text, index + 6, isBlank);
  if (start == index + 6) return null;
  const end = runEnd(text, start, isBearer);
  return end - start >= 16 ? new Secret(start, end, "bearer token") : null;
}

/** A PEM or PGP block, from its first dash to its last, or to the end of a text that lacks the last line. */
function privateKey(text: string, index: i32): Secret | null {
  const begin = "-----BEGIN ";
  if (text.substr(index, begin.length) != begin) return null;
  const label = text.indexOf("-----", index + begin.length);
  if (label < 0 || label > index + 80) return null;
  const words = text.substring(index + begin.length, label);
  if (!words.endsWith("PRIVATE KEY") && !words.endsWith("PRIVATE KEY BLOCK")) return null;
  const last = text.indexOf("-----END ", label);
  const dashes = last < 0 ? -1 : text.indexOf("-----", last + 9);
  return new Secret(index, dashes < 0 ? text.length : dashes + 5, "private key");
}

function runEnd(text: string, start: i32, belongs: (char: i32) => bool): i32 {
  let end = start;
  while (end < text.length && belongs(at(text, end))) end++;
  return end;
}
