/** The characters that mean something to a POSIX shell. */
export const TAB: i32 = 0x09;
export const NEWLINE: i32 = 0x0a;
export const RETURN: i32 = 0x0d;
export const SPACE: i32 = 0x20;
export const BANG: i32 = 0x21;
export const DOUBLE_QUOTE: i32 = 0x22;
export const HASH: i32 = 0x23;
export const DOLLAR: i32 = 0x24;
export const AMPERSAND: i32 = 0x26;
export const SINGLE_QUOTE: i32 = 0x27;
export const OPEN_PAREN: i32 = 0x28;
export const CLOSE_PAREN: i32 = 0x29;
export const MINUS: i32 = 0x2d;
export const COLON: i32 = 0x3a;
export const SEMICOLON: i32 = 0x3b;
export const LESS: i32 = 0x3c;
export const GREATER: i32 = 0x3e;
export const BACKSLASH: i32 = 0x5c;
export const BACKTICK: i32 = 0x60;
export const OPEN_BRACE: i32 = 0x7b;
export const PIPE: i32 = 0x7c;
export const CLOSE_BRACE: i32 = 0x7d;

// One bit for each of the characters below 64, and for each from 64 to 127.
const BLANKS: u64 = (1 << TAB) | (1 << NEWLINE) | (1 << RETURN) | ((1 as u64) << SPACE);
const METAS: u64 =
  BLANKS |
  ((1 as u64) << AMPERSAND) |
  ((1 as u64) << OPEN_PAREN) |
  ((1 as u64) << CLOSE_PAREN) |
  ((1 as u64) << SEMICOLON) |
  ((1 as u64) << LESS) |
  ((1 as u64) << GREATER);
const SPECIALS: u64 =
  METAS |
  ((1 as u64) << DOUBLE_QUOTE) |
  ((1 as u64) << HASH) |
  ((1 as u64) << DOLLAR) |
  ((1 as u64) << SINGLE_QUOTE);
const UPPER_METAS: u64 = (1 as u64) << (PIPE - 64);
const UPPER_SPECIALS: u64 =
  UPPER_METAS |
  ((1 as u64) << (BACKSLASH - 64)) |
  ((1 as u64) << (BACKTICK - 64)) |
  ((1 as u64) << (CLOSE_BRACE - 64));

/** Whether a character ends a word. */
export function isMeta(char: i32): bool {
  return <u32>char < 128 && (((char < 64 ? METAS : UPPER_METAS) >> (char & 63)) & 1) != 0;
}

/** Whether a character is more than a letter of a word, where it is not quoted. */
// @ts-ignore: decorator
@inline
export function isSpecial(char: i32): bool {
  return <u32>char < 128 && (((char < 64 ? SPECIALS : UPPER_SPECIALS) >> (char & 63)) & 1) != 0;
}

/** Letters, digits and `_`. */
export function isName(char: i32): bool {
  if (char >= 0x61 && char <= 0x7a) return true;
  if (char >= 0x41 && char <= 0x5a) return true;
  return (char >= 0x30 && char <= 0x39) || char == 0x5f;
}
