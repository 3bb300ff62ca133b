import {
  BACKSLASH, COMMA, DOT, LOWER_F, LOWER_N, LOWER_T, LOWER_U, MINUS, QUOTE, ZERO, hexValue, isDigit, isSpace,
} from "./ascii";

// The tokens of RFC 8259, over bytes of UTF-8. Each function gets the address of a token's first byte and
// the end of the text, and returns the address after the token, or 0 where there is no such token.

const ONES: u64 = 0x0101010101010101;
const HIGHS: u64 = 0x8080808080808080;

// One bit for each letter of an escape below 64, and for each from 64 to 127.
const SHORT_ESCAPES: u64 = ((1 as u64) << QUOTE) | ((1 as u64) << 0x2f);
const UPPER_SHORT_ESCAPES: u64 =
  ((1 as u64) << (BACKSLASH - 64)) |
  ((1 as u64) << (0x62 - 64)) |
  ((1 as u64) << (LOWER_F - 64)) |
  ((1 as u64) << (LOWER_N - 64)) |
  ((1 as u64) << (0x72 - 64)) |
  ((1 as u64) << (LOWER_T - 64));

/** Whether the string that `stringEnd` read last has an escape in it. */
export let sawEscape: bool = false;

// @ts-ignore: decorator
@inline
export function skipSpace(at: usize, end: usize): usize {
  // Most often there is none, and the next byte is above all of them.
  while (at < end && load<u8>(at) <= 0x20 && isSpace(load<u8>(at))) at++;
  return at;
}

export function stringEnd(at: usize, end: usize): usize {
  sawEscape = false;
  at++;
  const lastWord = end - 8;
  while (at < end) {
    // Eight bytes at a time: the lowest set bit marks a byte that is really a quote, a backslash or a control.
    while (at <= lastWord) {
      const word = load<u64>(at);
      const special =
        (((word ^ (QUOTE * ONES)) - ONES) | ((word ^ (BACKSLASH * ONES)) - ONES) | (word - 0x20 * ONES)) &
        ((word & HIGHS) ^ HIGHS);
      if (special) {
        at += <usize>ctz(special) >> 3;
        break;
      }
      at += 8;
    }
    if (at >= end) break;
    const byte = load<u8>(at);
    if (byte == QUOTE) return at + 1;
    if (byte < 0x20) return 0;
    if (byte != BACKSLASH) {
      at++;
      continue;
    }
    // Escapes come in runs, as line breaks and quotes of code do: each costs a handful of instructions.
    sawEscape = true;
    do {
      if (at + 1 < end && isShortEscape(load<u8>(at + 1))) at += 2;
      else if (!(at = unicodeEscapeEnd(at, end))) return 0;
    } while (at < end && load<u8>(at) == BACKSLASH);
  }
  return 0;
}

function unicodeEscapeEnd(at: usize, end: usize): usize {
  if (at + 6 > end || load<u8>(at + 1) != LOWER_U) return 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    if (hexValue(load<u8>(digit)) > 15) return 0;
  }
  return at + 6;
}

/** Whether a letter behind a backslash is an escape by itself: one of `"/\bfnrt`. */
// @ts-ignore: decorator
@inline
function isShortEscape(letter: u8): bool {
  if (letter & 0x80) return false;
  return (((letter < 64 ? SHORT_ESCAPES : UPPER_SHORT_ESCAPES) >> (letter & 63)) & 1) != 0;
}

/** The character that a one-letter escape stands for, or 0 where there is no such escape. */
export function escapedCharacter(kind: u8): u16 {
  switch (kind) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // a slash
      return kind;
    case 0x62:
      return 0x08;
    case LOWER_F:
      return 0x0c;
    case LOWER_N:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case LOWER_T:
      return 0x09;
    default:
      return 0;
  }
}

export function numberEnd(at: usize, end: usize): usize {
  if (load<u8>(at) == MINUS) at++;
  const whole = at;
  at = digitsEnd(at, end);
  if (at == whole || (load<u8>(whole) == ZERO && at > whole + 1)) return 0;
  // A dot and an E are above the comma that most often follows.
  if (at == end || load<u8>(at) <= COMMA) return at;
  if (load<u8>(at) == DOT) {
    const fraction = at + 1;
    at = digitsEnd(fraction, end);
    if (at == fraction) return 0;
  }
  if (at < end && (load<u8>(at) | 0x20) == 0x65) {
    at++;
    if (at < end && (load<u8>(at) == MINUS || load<u8>(at) == 0x2b)) at++;
    const exponent = at;
    at = digitsEnd(exponent, end);
    if (at == exponent) return 0;
  }
  return at;
}

// @ts-ignore: decorator
@inline
function digitsEnd(at: usize, end: usize): usize {
  while (at < end && isDigit(load<u8>(at))) at++;
  return at;
}

/** `true`, `false` and `null`. */
export function wordEnd(at: usize, end: usize): usize {
  if (at + 4 > end) return 0;
  const word = load<u32>(at);
  if (word == 0x65757274 /* true */ || word == 0x6c6c756e /* null */) return at + 4;
  return at + 5 <= end && word == 0x736c6166 /* fals */ && load<u8>(at + 4) == 0x65 ? at + 5 : 0;
}
