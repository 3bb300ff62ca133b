import { BACKSLASH, LOWER_F, LOWER_N, LOWER_T, LOWER_U, QUOTE } from "./ascii";

/** U+FFFD in UTF-8. */
const REPLACEMENT: usize = memory.data<u8>([0xef, 0xbf, 0xbd]);

/** JSON as it is written: bytes of UTF-8 that grow. */
export class Output {
  private at: usize = heap.alloc(256);
  private capacity: usize = 256;
  size: usize = 0;

  get start(): usize {
    return this.at;
  }

  private reserve(more: usize): void {
    const needed = this.size + more;
    if (needed <= this.capacity) return;
    this.capacity = max(needed, this.capacity * 2);
    this.at = heap.realloc(this.at, this.capacity);
  }

  byte(byte: u8): void {
    this.reserve(1);
    store<u8>(this.at + this.size++, byte);
  }

  copy(from: usize, size: usize): void {
    this.reserve(size);
    memory.copy(this.at + this.size, from, size);
    this.size += size;
  }

  /** Text that is not quoted: digits and JSON's own words. */
  ascii(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) store<u8>(this.at + this.size++, <u8>text.charCodeAt(i));
  }

  /** A JSON string. A lone surrogate, which UTF-8 does not have, is written as an escape. */
  quoted(text: string): void {
    this.byte(QUOTE);
    this.encode(text, true);
    this.byte(QUOTE);
  }

  /** Text as it is, but for lone surrogates, which are escaped as in a JSON string. */
  plain(text: string): void {
    this.encode(text, false);
  }

  private encode(text: string, escapes: bool): void {
    let from = changetype<usize>(text);
    const end = from + (<usize>text.length << 1);
    // A code unit takes at most three bytes; an escape, six, and reserves anew for what is left.
    this.reserve((((end - from) >> 1) * 3) + 6);
    let to = this.at + this.size;
    while (from < end) {
      // Four code units at a time, while they are ASCII and, in quotes, need no escape.
      while (from + 8 <= end) {
        let wide = load<u64>(from);
        if (wide & 0xff80ff80ff80ff80 || (escapes && needsEscape(wide))) break;
        wide |= wide >> 8;
        store<u32>(to, <u32>((wide & 0xffff) | ((wide >> 16) & 0xffff0000)));
        from += 8;
        to += 4;
      }
      if (from == end) break;
      const unit = <u32>load<u16>(from);
      from += 2;
      if (unit < 0x80) {
        if (escapes && (unit < 0x20 || unit == QUOTE || unit == BACKSLASH)) {
          this.size = to - this.at;
          this.escape(unit);
          this.reserve((((end - from) >> 1) * 3) + 6);
          to = this.at + this.size;
        } else {
          store<u8>(to++, <u8>unit);
        }
      } else if (unit < 0x800) {
        store<u8>(to, <u8>(0xc0 | (unit >> 6)));
        store<u8>(to + 1, <u8>(0x80 | (unit & 0x3f)));
        to += 2;
      } else if ((unit & 0xf800) != 0xd800) {
        store<u8>(to, <u8>(0xe0 | (unit >> 12)));
        store<u8>(to + 1, <u8>(0x80 | ((unit >> 6) & 0x3f)));
        store<u8>(to + 2, <u8>(0x80 | (unit & 0x3f)));
        to += 3;
      } else if (unit < 0xdc00 && from < end && (<u32>load<u16>(from) & 0xfc00) == 0xdc00) {
        const code = 0x10000 + ((unit & 0x3ff) << 10) + (<u32>load<u16>(from) & 0x3ff);
        from += 2;
        store<u8>(to, <u8>(0xf0 | (code >> 18)));
        store<u8>(to + 1, <u8>(0x80 | ((code >> 12) & 0x3f)));
        store<u8>(to + 2, <u8>(0x80 | ((code >> 6) & 0x3f)));
        store<u8>(to + 3, <u8>(0x80 | (code & 0x3f)));
        to += 4;
      } else {
        this.size = to - this.at;
        // Behind a backslash that starts an escape, the escape of a surrogate would be no escape any more.
        if (!escapes && this.startsEscape()) this.copy(REPLACEMENT, 3);
        else this.escape(unit);
        this.reserve((((end - from) >> 1) * 3) + 6);
        to = this.at + this.size;
      }
    }
    this.size = to - this.at;
  }

  private startsEscape(): bool {
    let size = this.size;
    while (size > 0 && load<u8>(this.at + size - 1) == BACKSLASH) size--;
    return ((this.size - size) & 1) != 0;
  }

  private escape(unit: u32): void {
    this.byte(BACKSLASH);
    const letter = escapeLetter(unit);
    if (letter) {
      this.byte(letter);
      return;
    }
    this.byte(LOWER_U);
    for (let shift = 12; shift >= 0; shift -= 4) {
      const digit = <u8>((unit >> shift) & 15);
      this.byte(digit < 10 ? digit + 0x30 : digit + 0x57);
    }
  }
}

/** Whether one of four ASCII code units is a quote, a backslash or a control character. */
// @ts-ignore: decorator
@inline
function needsEscape(units: u64): bool {
  const ones: u64 = 0x0001000100010001;
  // Below 0x80 nothing is borrowed from a neighbour before one of the tests has hit.
  const quote = (units ^ (QUOTE * ones)) - ones;
  const backslash = (units ^ (BACKSLASH * ones)) - ones;
  return ((quote | backslash | (units - 0x20 * ones)) & (0x8000 * ones)) != 0;
}

/** The letter of a character's short escape, or 0 where it has none. */
function escapeLetter(unit: u32): u8 {
  switch (unit) {
    case QUOTE:
    case BACKSLASH:
      return <u8>unit;
    case 0x08:
      return 0x62;
    case 0x09:
      return LOWER_T;
    case 0x0a:
      return LOWER_N;
    case 0x0c:
      return LOWER_F;
    case 0x0d:
      return 0x72;
    default:
      return 0;
  }
}
