import { malformed, truncated } from "./refusal.js";

/** A half-open range of byte offsets in the file. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a range of a file. Positions are offsets in the whole file, so that messages can name them.
 * LEB128 rules: https://webassembly.github.io/spec/core/binary/values.html#integers
 *
 * @throws WasmhookError `wasm-truncated` where the file ends too early; `module-refused` where the bytes
 * are malformed, which includes an item that runs past the section it is in.
 */
export class Reader {
  readonly bytes: Uint8Array;
  end: number;
  /** Offset in the file of the next byte to read. */
  position: number;
  private readonly what: string;
  private readonly nested: boolean;

  /** @param what what the range holds, for messages */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length, what = "the module", nested = false) {
    this.bytes = bytes;
    this.position = start;
    this.end = Math.min(end, bytes.length);
    this.what = what;
    this.nested = nested || this.end < bytes.length;
  }

  get done(): boolean {
    return this.position >= this.end;
  }

  byte(): number {
    const value = this.bytes[this.position];
    if (value === undefined || this.position >= this.end) throw this.tooShort();
    this.position++;
    return value;
  }

  /** Moves past `length` bytes and returns where they were. */
  skip(length: number): Range {
    const start = this.position;
    if (length > this.end - start) throw this.tooShort();
    this.position = start + length;
    return { start, end: this.position };
  }

  /** Moves past `length` bytes and returns a reader of just these. */
  nest(length: number, what: string): Reader {
    const { start, end } = this.skip(length);
    return new Reader(this.bytes, start, end, what, true);
  }

  u32(): number {
    const value = this.bytes[this.position];
    if (value !== undefined && value < 0x80 && this.position < this.end) {
      this.position++;
      return value;
    }
    return this.longU32();
  }

  /** An index into an index space that has `size` items, called `what` in messages. */
  index(size: number, what: string): number {
    const offset = this.position;
    const value = this.u32();
    if (value >= size) throw malformed(offset, `there is no ${what} ${value}`);
    return value;
  }

  s32(): number {
    const start = this.position;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (shift === 28) this.checkLastSigned(start, byte, 0x78);
      return shift < 28 ? (value << (25 - shift)) >> (25 - shift) : value;
    }
    throw malformed(start, "an integer is longer than 5 bytes");
  }

  s33(): number {
    const start = this.position;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte >= 0x80) continue;
      if (shift === 28) this.checkLastSigned(start, byte, 0x70);
      return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    throw malformed(start, "an integer is longer than 5 bytes");
  }

  s64(): bigint {
    const start = this.position;
    let value = 0n;
    let bits = 0;
    for (const byte of this.bytes.subarray(start, this.skipS64())) {
      value |= BigInt(byte & 0x7f) << BigInt(bits);
      bits += 7;
    }
    return BigInt.asIntN(Math.min(bits, 64), value);
  }

  /** Checks an s64 and moves past it without making a bigint. Returns the offset after it. */
  skipS64(): number {
    const start = this.position;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      if (byte >= 0x80) continue;
      if (shift === 63) this.checkLastSigned(start, byte, 0x7f);
      return this.position;
    }
    throw malformed(start, "an integer is longer than 10 bytes");
  }

  /** A length-prefixed name in strict UTF-8. */
  name(): string {
    const start = this.position;
    const range = this.skip(this.u32());
    try {
      return strictUtf8.decode(this.bytes.subarray(range.start, range.end));
    } catch {
      throw malformed(start, "a name is not valid UTF-8");
    }
  }

  /** @throws `module-refused` when bytes are left over */
  finish(): void {
    if (!this.done) throw malformed(this.position, `there are bytes after the end of ${this.what}`);
  }

  private longU32(): number {
    const start = this.position;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (shift === 28 && byte > 0x0f) throw malformed(start, "an integer is larger than 32 bits");
      return value >>> 0;
    }
    throw malformed(start, "an integer is longer than 5 bytes");
  }

  /** The bits of the last byte that the integer does not use must repeat its sign. */
  private checkLastSigned(start: number, byte: number, signAndUnused: number): void {
    const bits = byte & signAndUnused;
    if (bits !== 0 && bits !== signAndUnused) throw malformed(start, "an integer is larger than its type");
  }

  private tooShort(): Error {
    return this.nested ? malformed(this.end, `${this.what} ends too early`) : truncated(this.end, this.what);
  }
}

/** A byte buffer that grows as it is written. */
export class Writer {
  length = 0;
  private buffer: Uint8Array<ArrayBuffer>;

  constructor(capacity = 256) {
    this.buffer = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1);
    this.buffer[this.length++] = value;
  }

  u32(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A signed LEB128 of a safe integer (s32, s33, and s64 up to 2^53). */
  signed(value: number): void {
    let rest = value;
    while (rest >= 0x40 && rest < 0x8000_0000) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    while (rest < -0x40 || rest >= 0x40) {
      const low = ((rest % 0x80) + 0x80) % 0x80;
      this.byte(low | 0x80);
      rest = (rest - low) / 0x80;
    }
    this.byte(rest & 0x7f);
  }

  /** Four bytes at once. */
  four(a: number, b: number, c: number, d: number): void {
    const at = this.length;
    if (at + 4 > this.buffer.length) this.reserve(4);
    const { buffer } = this;
    buffer[at] = a;
    buffer[at + 1] = b;
    buffer[at + 2] = c;
    buffer[at + 3] = d;
    this.length = at + 4;
  }

  /** Appends `source[start..end)`. */
  copy(source: Uint8Array, start = 0, end = source.length): void {
    const size = end - start;
    if (this.length + size > this.buffer.length) this.reserve(size);
    // For short runs a loop beats the call into `set`.
    if (size < 64) {
      const { buffer, length } = this;
      for (let i = 0; i < size; i++) buffer[length + i] = source[start + i] as number;
    } else {
      this.buffer.set(source.subarray(start, end), this.length);
    }
    this.length += size;
  }

  /** Changes a byte that was written. */
  patch(offset: number, value: number): void {
    this.buffer[offset] = value;
  }

  append(other: Writer): void {
    this.copy(other.buffer, 0, other.length);
  }

  name(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.u32(encoded.length);
    this.copy(encoded);
  }

  /** Forgets what was written, keeps the buffer. */
  clear(): void {
    this.length = 0;
  }

  /** What was written, until something more is. */
  view(): Uint8Array<ArrayBuffer> {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(size: number): void {
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + size));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }
}
