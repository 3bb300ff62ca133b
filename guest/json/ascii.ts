/** The bytes that JSON is written with. */
export const QUOTE: u8 = 0x22;
export const COMMA: u8 = 0x2c;
export const MINUS: u8 = 0x2d;
export const DOT: u8 = 0x2e;
export const ZERO: u8 = 0x30;
export const COLON: u8 = 0x3a;
export const OPEN_ARRAY: u8 = 0x5b;
export const BACKSLASH: u8 = 0x5c;
export const CLOSE_ARRAY: u8 = 0x5d;
export const LOWER_F: u8 = 0x66;
export const LOWER_N: u8 = 0x6e;
export const LOWER_T: u8 = 0x74;
export const LOWER_U: u8 = 0x75;
export const OPEN_OBJECT: u8 = 0x7b;
export const CLOSE_OBJECT: u8 = 0x7d;

// @ts-ignore: decorator
@inline
export function isDigit(byte: u8): bool {
  return <u8>(byte - ZERO) < 10;
}

// @ts-ignore: decorator
@inline
export function isSpace(byte: u8): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

/** The value of a hexadecimal digit, or a number above 15 where the byte is none. */
export function hexValue(byte: u8): u32 {
  if (isDigit(byte)) return byte - ZERO;
  const letter: u8 = (byte | 0x20) - 0x61;
  return letter < 6 ? <u32>letter + 10 : 16;
}
