/** Writes components byte by byte, for what no tool would write. */

type Bytes = readonly number[];

export const PREAMBLE: Bytes = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00];

export function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

export function text(name: string): number[] {
  const bytes = new TextEncoder().encode(name);
  return [...leb(bytes.length), ...bytes];
}

/** A section of which the contents are given. */
export function section(id: number, contents: Bytes): number[] {
  return [id, ...leb(contents.length), ...contents];
}

/** A section that is a vector of these items. */
export function items(id: number, ...entries: Bytes[]): number[] {
  return section(id, [...leb(entries.length), ...entries.flat()]);
}

export function component(...sections: Bytes[]): Uint8Array {
  return Uint8Array.from([...PREAMBLE, ...sections.flat()]);
}
