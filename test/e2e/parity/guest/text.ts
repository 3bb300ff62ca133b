// What README.md says of characters, words and lines.

export const JUDGED = 20_000;
export const LF = 0x0a;

export function isBlank(char: i32): bool {
  return char == 0x20 || char == 0x09 || char == LF || char == 0x0d;
}

export function isBlankText(text: string): bool {
  for (let i = 0; i < text.length; i++) {
    if (!isBlank(text.charCodeAt(i))) return false;
  }
  return true;
}

/** Where the character ends that starts at a place; a surrogate that stands alone ends after one unit. */
function afterCharacter(text: string, at: i32): i32 {
  return isPair(text, at) ? at + 2 : at + 1;
}

function isPair(text: string, at: i32): bool {
  return (
    (text.charCodeAt(at) & 0xfc00) == 0xd800 &&
    at + 1 < text.length &&
    (text.charCodeAt(at + 1) & 0xfc00) == 0xdc00
  );
}

export function countCharacters(text: string): i32 {
  let count = 0;
  for (let i = 0; i < text.length; i = afterCharacter(text, i)) count++;
  return count;
}

export function firstCharacters(text: string, count: i32): string {
  let end = 0;
  while (end < text.length && count-- > 0) end = afterCharacter(text, end);
  return end == text.length ? text : text.substring(0, end);
}

/** The part of a text that is judged. */
export function judged(text: string): string {
  return firstCharacters(text, JUDGED);
}

/** A to Z in lower case; all else as it is. */
export function lower(text: string): string {
  const bytes = String.UTF16.encode(text);
  const start = changetype<usize>(bytes);
  for (let i: usize = 0; i < <usize>bytes.byteLength; i += 2) {
    const unit = load<u16>(start + i);
    if (unit >= 0x41 && unit <= 0x5a) store<u16>(start + i, unit | 0x20);
  }
  return String.UTF16.decode(bytes);
}

export function words(text: string): string[] {
  const all: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (isBlank(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && !isBlank(text.charCodeAt(at))) at++;
    all.push(text.substring(start, at));
  }
  return all;
}

export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.substring(start, end);
}

export function includesAny(text: string, parts: string[]): bool {
  return firstIncluded(text, parts) !== null;
}

/** The first of some texts that is in a text. */
export function firstIncluded(text: string, parts: string[]): string | null {
  for (let i = 0; i < parts.length; i++) {
    if (text.includes(parts[i])) return parts[i];
  }
  return null;
}

/** Broken characters become U+FFFD. */
export class Mended {
  text: string = "";
  count: i32 = 0;

  constructor(text: string) {
    let mended = "";
    let kept = 0;
    for (let i = 0; i < text.length; i = afterCharacter(text, i)) {
      if ((text.charCodeAt(i) & 0xf800) != 0xd800 || isPair(text, i)) continue;
      mended += text.substring(kept, i) + "\ufffd";
      kept = i + 1;
      this.count++;
    }
    this.text = this.count == 0 ? text : mended + text.substring(kept);
  }
}

/** Keys become `[key removed]`. */
export class WithoutKeys {
  text: string = "";
  count: i32 = 0;

  constructor(text: string) {
    let rest = "";
    let kept = 0;
    let at = text.indexOf("sk-");
    while (at >= 0) {
      let end = at + 3;
      while (end < text.length && isOfKey(text.charCodeAt(end))) end++;
      const isKey = end - at >= 23;
      if (isKey) {
        rest += text.substring(kept, at) + "[key removed]";
        kept = end;
        this.count++;
      }
      at = text.indexOf("sk-", isKey ? end : at + 1);
    }
    this.text = this.count == 0 ? text : rest + text.substring(kept);
  }
}

function isOfKey(char: i32): bool {
  if (char == 0x5f || char == 0x2d || (char >= 0x30 && char <= 0x39)) return true;
  const letter = char | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}
