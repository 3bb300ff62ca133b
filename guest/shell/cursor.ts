import { isSpecial } from "./characters";
import { WordBuffer } from "./word-buffer";

/** What `peek` and `take` give after the last character. */
export const END: i32 = -1;

/** A place in a text. */
export class Cursor {
  private at: usize;
  private end: usize;

  constructor(private readonly text: string) {
    this.at = changetype<usize>(text);
    this.end = this.at + (<usize>text.length << 1);
  }

  /** How many code units are before the place. */
  get index(): i32 {
    return <i32>((this.at - changetype<usize>(this.text)) >> 1);
  }

  /** Makes a place further on the end, until `reopen` is given what this returned. */
  closeAt(index: i32): usize {
    const end = this.end;
    this.end = min(end, changetype<usize>(this.text) + (<usize>index << 1));
    return end;
  }

  /** Goes to the end that was set, and gives back the one before it. */
  reopen(end: usize): void {
    this.at = this.end;
    this.end = end;
  }

  // @ts-ignore: decorator
  @inline
  get isAtEnd(): bool {
    return this.at >= this.end;
  }

  // @ts-ignore: decorator
  @inline
  peek(): i32 {
    return this.isAtEnd ? END : <i32>load<u16>(this.at);
  }

  // @ts-ignore: decorator
  @inline
  take(): i32 {
    if (this.isAtEnd) return END;
    const at = this.at;
    this.at = at + 2;
    return load<u16>(at);
  }

  /** Moves what is no special character to a word; whether there was any. */
  takeLetters(word: WordBuffer): bool {
    const start = this.at;
    const end = this.end;
    let at = start;
    while (at < end) {
      const char = <i32>load<u16>(at);
      if (isSpecial(char)) break;
      word.add(char);
      at += 2;
    }
    this.at = at;
    return at > start;
  }

  /** Moves what is before the next of two characters, or before the end, to a word. */
  takeBefore(one: i32, other: i32, word: WordBuffer): void {
    const end = this.end;
    let at = this.at;
    while (at < end) {
      const char = <i32>load<u16>(at);
      if (char == one || char == other) break;
      word.add(char);
      at += 2;
    }
    this.at = at;
  }

  /** Goes past a character, where it is the next one. */
  skip(char: i32): bool {
    if (this.peek() != char) return false;
    this.at += 2;
    return true;
  }

  /** Goes to a character, or to the end where there is no more of it. */
  seek(char: i32): void {
    let at = this.at;
    while (at < this.end && <i32>load<u16>(at) != char) at += 2;
    this.at = at;
  }
}
