export const DASH: i32 = 0x2d;

/** The code unit at a place, or -1 outside of the text. */
// @ts-ignore: decorator
@inline
export function at(text: string, index: i32): i32 {
  return text.charCodeAt(index);
}

export function isDigit(char: i32): bool {
  return char >= 0x30 && char <= 0x39;
}

export function isUpper(char: i32): bool {
  return char >= 0x41 && char <= 0x5a;
}

export function isLetter(char: i32): bool {
  return isUpper(char & ~0x20);
}

export function isLetterOrDigit(char: i32): bool {
  return isDigit(char) || isLetter(char);
}

/** What words and names are made of. */
export function isWord(char: i32): bool {
  return isLetterOrDigit(char) || char == 0x5f;
}

export function isBlank(char: i32): bool {
  return char == 0x20 || char == 0x09;
}

/** Base64, in both of its alphabets. */
export function isBase64(char: i32): bool {
  return isWord(char) || char == 0x2b || char == 0x2f || char == 0x3d || char == DASH;
}

/** What RFC 6750 lets a bearer token have. */
export function isBearer(char: i32): bool {
  return isBase64(char) || char == 0x2e || char == 0x7e;
}

/** Whether lower-case letters stand at a place, in whatever case. */
export function hasLetters(text: string, index: i32, letters: string): bool {
  for (let i = 0; i < letters.length; i++) {
    const char = at(text, index + i);
    if ((isUpper(char) ? char | 0x20 : char) != letters.charCodeAt(i)) return false;
  }
  return true;
}
