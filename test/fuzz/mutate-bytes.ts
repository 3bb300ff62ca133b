import type { Random } from "../oracle/programs/random.js";

/** What readers of binaries go wrong on: the ends of LEB128 bytes, forms of types, and small numbers. */
const BYTES = [0, 1, 2, 3, 4, 0x3f, 0x40, 0x60, 0x6f, 0x70, 0x7c, 0x7e, 0x7f, 0x80, 0x81, 0xfc, 0xfd, 0xff];
const LEBS = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0x80, 0x80, 0x80, 0x80, 0x08],
  [0x80, 0x80, 0x04],
  [0xff, 0x7f],
  [0x80, 0x00],
  [0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
];

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** Some bytes changed, taken out, put in or moved. */
export function mutatedBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(random.once(4) ? 64 : 4));
  const before = bytes.subarray(0, at);
  const between = bytes.subarray(at, end);
  const after = bytes.subarray(end);
  switch (random.below(9)) {
    case 0:
      return concat(before, after);
    case 1:
      return concat(before, between, between, after);
    case 2:
      return concat(before, Uint8Array.of(random.pick(BYTES)), between, after);
    case 3:
      return concat(before, Uint8Array.from(random.pick(LEBS)), bytes.subarray(at + 1));
    case 4:
      return random.once(4) ? before.slice() : concat(after, between, before);
    case 5: {
      const from = random.below(bytes.length + 1);
      return concat(before, bytes.subarray(from, from + between.length), after);
    }
    default: {
      const changed = bytes.slice();
      const to = random.once(2) ? random.pick(BYTES) : (changed[at] ?? 0) ^ (1 << random.below(8));
      if (at < changed.length) changed[at] = to;
      return changed;
    }
  }
}

export function noise(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => (random.once(3) ? random.pick(BYTES) : random.below(256)));
}
