/** The words that are being read: one inside the other, where a substitution stands in a word. */
export class WordBuffer {
  private start: usize;
  private end: usize;

  /** @param most code units that all the words can have together */
  constructor(most: i32) {
    this.start = heap.alloc(<usize>max(most, 1) << 1);
    this.end = this.start;
  }

  // @ts-ignore: decorator
  @inline
  add(char: i32): void {
    const end = this.end;
    store<u16>(end, <u16>char);
    this.end = end + 2;
  }

  /** The word, which is read and begins anew. */
  take(): string {
    const text = String.UTF16.decodeUnsafe(this.start, this.end - this.start);
    this.end = this.start;
    return text;
  }

  /** Begins a word inside this one; `close` with what this returned goes on with this one. */
  open(): usize {
    const outer = this.start;
    this.start = this.end;
    return outer;
  }

  close(outer: usize): void {
    this.end = this.start;
    this.start = outer;
  }
}
