import { isSpecial } from "./characters";
import { WordBuffer } from "./word-buffer";

/** What `peek` and `take` give after the last character. */
export const END: i32 = -1;

/** A place in a text. */
export class Cursor {
  private at: usize;
  private readonly end: usize;

  constructor(private readonly text: string) {
    this.at = changetype<usize>(text);
    this.end = this.at + (<usize>text.length << 1);
  }

  /** How many code units are before the place. */
  get index(): i32 {
    return <i32>((this.at - changetype<usize>(this.text)) >> 1);
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
