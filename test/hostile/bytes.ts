import { PREAMBLE } from "../support/component-bytes.js";

/** Bytes by the megabyte, for what would take a text format's parser too long. */
export type Bytes = Uint8Array | readonly number[];

export function concat(...parts: Bytes[]): Uint8Array {
  return joined(parts);
}

/** The same for any number of parts. */
export function joined(parts: readonly Bytes[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function repeat(bytes: Bytes, times: number): Uint8Array {
  const all = new Uint8Array(bytes.length * times);
  for (let i = 0; i < times; i++) all.set(bytes, i * bytes.length);
  return all;
}

export function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return [...bytes, rest];
}

/** Something with its length before it. */
export function sized(...parts: Bytes[]): Uint8Array {
  const contents = concat(...parts);
  return concat(leb(contents.length), contents);
}

/** A section, of a core module or of a component. */
export function section(id: number, ...contents: Bytes[]): Uint8Array {
  return concat([id], sized(...contents));
}

export const MAGIC = [0x00, 0x61, 0x73, 0x6d];

export function coreModule(...sections: Bytes[]): Uint8Array {
  return concat(MAGIC, [1, 0, 0, 0], ...sections);
}

export function componentOf(...sections: Bytes[]): Uint8Array {
  return concat(PREAMBLE, ...sections);
}

/** A core module that declares this many functions of no parameters, all with this body (its locals and its code). */
export function functions(count: number, body: Bytes): Uint8Array {
  return coreModule(
    section(1, [1, 0x60, 0, 0]),
    section(3, leb(count), new Uint8Array(count)),
    section(10, leb(count), repeat(sized(body), count)),
  );
}
