import { BACKSLASH, LOWER_U, hexValue } from "./ascii";
import { escapedCharacter } from "./lexer";

/**
 * The text of a JSON string whose quotes enclose the bytes from `at` to `end`. The bytes must have passed
 * `stringEnd`. A lone surrogate, which JSON can only write as an escape, stays one.
 */
export function decodeString(at: usize, end: usize, isEscaped: bool): string {
  if (at == end) return "";
  // No byte sequence and no escape gives more UTF-16 code units than it has bytes.
  const start = __new((end - at) << 1, idof<String>());
  let out = start;
  while (at < end) {
    // Four bytes at a time, while they are ASCII and no escape.
    while (at + 4 <= end) {
      let wide: u64 = load<u32>(at);
      if (wide & 0x80808080 || (isEscaped && hasBackslash(<u32>wide))) break;
      wide = (wide | (wide << 16)) & 0x0000ffff0000ffff;
      store<u64>(out, (wide | (wide << 8)) & 0x00ff00ff00ff00ff);
      at += 4;
      out += 8;
    }
    if (at == end) break;
    const byte = load<u8>(at);
    if (byte == BACKSLASH && isEscaped) {
      const kind = load<u8>(at + 1);
      if (kind == LOWER_U) {
        store<u16>(out, <u16>hex4(at + 2));
        at += 6;
      } else {
        store<u16>(out, escapedCharacter(kind));
        at += 2;
      }
      out += 2;
    } else if (byte < 0x80) {
      store<u16>(out, byte);
      at++;
      out += 2;
    } else if (byte < 0xe0) {
      store<u16>(out, <u16>(((<u32>byte & 0x1f) << 6) | continued(at + 1)));
      at += 2;
      out += 2;
    } else if (byte < 0xf0) {
      store<u16>(out, <u16>(((<u32>byte & 0x0f) << 12) | (continued(at + 1) << 6) | continued(at + 2)));
      at += 3;
      out += 2;
    } else {
      const code =
        (((<u32>byte & 0x07) << 18) | (continued(at + 1) << 12) | (continued(at + 2) << 6) | continued(at + 3)) -
        0x10000;
      store<u32>(out, 0xd800 | (code >> 10) | ((0xdc00 | (code & 0x3ff)) << 16));
      at += 4;
      out += 4;
    }
  }
  return changetype<string>(__renew(start, out - start));
}

// @ts-ignore: decorator
@inline
function hasBackslash(bytes: u32): bool {
  const zero = bytes ^ (BACKSLASH * 0x01010101);
  return ((zero - 0x01010101) & ~zero & 0x80808080) != 0;
}

function continued(at: usize): u32 {
  return <u32>load<u8>(at) & 0x3f;
}

function hex4(at: usize): u32 {
  return (
    (hexValue(load<u8>(at)) << 12) |
    (hexValue(load<u8>(at + 1)) << 8) |
    (hexValue(load<u8>(at + 2)) << 4) |
    hexValue(load<u8>(at + 3))
  );
}
