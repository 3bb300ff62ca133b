import { NEWLINE, TAB } from "./characters";

const NONE: i32 = -1;

/**
 * Finds lines of a text by what stands on them, without their leading tabs if so wanted. It goes forward
 * only: no `find` may start before the one before it. So all of them together cost what one reading costs.
 */
export class LineFinder {
  private readonly starts: StaticArray<i32>;
  private readonly ends: StaticArray<i32>;
  private readonly hashes: StaticArray<u32>;
  // The lines whose hashes share their low bits, in the order of the text: the first, and what follows each.
  private readonly first: StaticArray<i32>;
  private readonly next: StaticArray<i32>;

  constructor(
    private readonly text: string,
    from: i32,
    stripsTabs: bool,
  ) {
    let count = 1;
    for (let at = from; at < text.length; at++) {
      if (unit(text, at) == NEWLINE) count++;
    }
    this.starts = new StaticArray<i32>(count);
    this.ends = new StaticArray<i32>(count);
    this.hashes = new StaticArray<u32>(count);
    this.next = new StaticArray<i32>(count);
    this.first = new StaticArray<i32>(1 << (32 - clz(count)));
    this.first.fill(NONE);
    for (let line = 0; line < count; line++) {
      while (stripsTabs && from < text.length && unit(text, from) == TAB) from++;
      const end = lineEnd(text, from);
      unchecked((this.starts[line] = from));
      unchecked((this.ends[line] = end));
      unchecked((this.hashes[line] = hashOf(text, from, end)));
      from = end + 1;
    }
    for (let line = count - 1; line >= 0; line--) {
      const bucket = this.bucketOf(unchecked(this.hashes[line]));
      unchecked((this.next[line] = this.first[bucket]));
      unchecked((this.first[bucket] = line));
    }
  }

  /** Where the text of the first such line begins at or after a place, or -1. */
  find(wanted: string, from: i32): i32 {
    const hash = hashOf(wanted, 0, wanted.length);
    const bucket = this.bucketOf(hash);
    let line = unchecked(this.first[bucket]);
    while (line != NONE && unchecked(this.starts[line]) < from) line = unchecked(this.next[line]);
    unchecked((this.first[bucket] = line));
    while (line != NONE && !this.is(line, wanted, hash)) line = unchecked(this.next[line]);
    return line == NONE ? NONE : unchecked(this.starts[line]);
  }

  private bucketOf(hash: u32): i32 {
    return <i32>((hash ^ (hash >> 16)) & (<u32>this.first.length - 1));
  }

  private is(line: i32, wanted: string, hash: u32): bool {
    if (unchecked(this.hashes[line]) != hash) return false;
    const start = unchecked(this.starts[line]);
    return unchecked(this.ends[line]) - start == wanted.length && this.text.startsWith(wanted, start);
  }
}

// @ts-ignore: decorator
@inline
function unit(text: string, at: i32): i32 {
  return <i32>load<u16>(changetype<usize>(text) + (<usize>at << 1));
}

function lineEnd(text: string, at: i32): i32 {
  while (at < text.length && unit(text, at) != NEWLINE) at++;
  return at;
}

/** FNV-1a, over code units. */
function hashOf(text: string, from: i32, to: i32): u32 {
  let hash: u32 = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = (hash ^ unit(text, at)) * 0x01000193;
  return hash;
}
