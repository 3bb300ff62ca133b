/** Keeps the first `limitBytes` of a stream, in one buffer however small the chunks are. */
export class Capture {
  readonly #limitBytes: number;
  #buffer = new Uint8Array();
  #length = 0;
  #overflowed = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Whether there was more than the limit. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Uint8Array): void {
    const end = Math.min(this.#length + chunk.length, this.#limitBytes);
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(Math.max(end, 2 * this.#buffer.length), this.#limitBytes));
      grown.set(this.bytes);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk.subarray(0, end - this.#length), this.#length);
    this.#overflowed ||= this.#length + chunk.length > this.#limitBytes;
    this.#length = end;
  }

  /** As UTF-8, with U+FFFD for what is not; a character that the limit cut in two is dropped. */
  text(): string {
    return new TextDecoder().decode(this.bytes, { stream: this.#overflowed });
  }

  /** As UTF-8, without a byte order mark; `undefined` where the bytes are not UTF-8. */
  strictText(): string | undefined {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes);
    } catch {
      return undefined;
    }
  }
}
