import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./ascii";
import { numberEnd, sawEscape, skipSpace, stringEnd, wordEnd } from "./lexer";

/** Bytes of an entry: the addresses where its token starts and ends, and which entry follows its subtree. */
const ENTRY: u32 = 12;
/** In the last of the three, which is a multiple of four. */
const ESCAPED: u32 = 1;
const NONE: u32 = u32.MAX_VALUE;

/**
 * Where everything stands in one JSON text. One pass checks the text against RFC 8259 and writes an entry
 * for each value and each key, in the order of the text: a container comes before what it holds, a key
 * before its value. Nothing is decoded or copied, so what a hook never looks at costs it only the pass.
 *
 * An entry is told by its distance from the first one in bytes, so the first is 0 and the next `ENTRY`.
 */
export class Tape {
  private entries: usize = heap.alloc(64 * ENTRY);
  private capacity: u32 = 64 * ENTRY;
  private size: u32 = 0;

  /** Reads the text of `size` bytes of UTF-8 at `text`; `null` where it is not one JSON value. */
  static read(text: usize, size: usize): Tape | null {
    const tape = new Tape();
    return tape.fill(text, text + size) ? tape : null;
  }

  start(entry: u32): usize {
    return load<u32>(this.entries + entry);
  }

  end(entry: u32): usize {
    return load<u32>(this.entries + entry, 4);
  }

  /** The entry that follows this one and everything in it. */
  after(entry: u32): u32 {
    return load<u32>(this.entries + entry, 8) & ~ESCAPED;
  }

  /** The entry that follows this one: a container's first, a key's value. */
  next(entry: u32): u32 {
    return entry + ENTRY;
  }

  /** Whether a string has an escape in it. */
  isEscaped(entry: u32): bool {
    return (load<u32>(this.entries + entry, 8) & ESCAPED) != 0;
  }

  private push(start: usize, end: usize, after: u32): u32 {
    const entry = this.size;
    if (entry == this.capacity) {
      this.capacity *= 2;
      this.entries = heap.realloc(this.entries, this.capacity);
    }
    this.size = entry + ENTRY;
    const place = this.entries + entry;
    store<u32>(place, start);
    store<u32>(place, end, 4);
    store<u32>(place, after, 8);
    return entry;
  }

  // No recursion: while a container is open, its `after` holds the container around it.
  private fill(at: usize, end: usize): bool {
    let open = NONE;
    let close: u8 = 0;
    at = skipSpace(at, end);
    while (true) {
      if (at >= end) return false;
      const first = load<u8>(at);
      if (first == OPEN_OBJECT || first == OPEN_ARRAY) {
        open = this.push(at, 0, open);
        close = closing(first);
        at = skipSpace(at + 1, end);
        if (at >= end) return false;
        if (load<u8>(at) != close) {
          if (close == CLOSE_OBJECT && !(at = this.key(at, end))) return false;
          continue;
        }
      } else if (!(at = this.scalar(first, at, end))) {
        return false;
      }
      while (true) {
        at = skipSpace(at, end);
        if (open == NONE) return at == end;
        if (at >= end) return false;
        const next = load<u8>(at++);
        if (next == COMMA) {
          at = skipSpace(at, end);
          if (close == CLOSE_OBJECT && !(at = this.key(at, end))) return false;
          break;
        }
        if (next != close) return false;
        const place = this.entries + open;
        open = load<u32>(place, 8);
        store<u32>(place, at, 4);
        store<u32>(place, this.size, 8);
        if (open != NONE) close = closing(load<u8>(this.start(open)));
      }
    }
  }

  private key(at: usize, end: usize): usize {
    if (at >= end || load<u8>(at) != QUOTE) return 0;
    if (!(at = this.scalar(QUOTE, at, end))) return 0;
    at = skipSpace(at, end);
    if (at >= end || load<u8>(at) != COLON) return 0;
    return skipSpace(at + 1, end);
  }

  private scalar(first: u8, at: usize, end: usize): usize {
    let flags: u32 = 0;
    let after: usize;
    if (first == QUOTE) {
      after = stringEnd(at, end);
      if (sawEscape) flags = ESCAPED;
    } else {
      after = first > COLON ? wordEnd(at, end) : numberEnd(at, end);
    }
    if (after) this.push(at, after, (this.size + ENTRY) | flags);
    return after;
  }
}

function closing(open: u8): u8 {
  return open == OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
}
