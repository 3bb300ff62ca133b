import { type Range, Reader, Writer } from "../sandbox/binary/bytes.js";

/** What stands in a range of one section of a component, or of a core module in it, and is to be replaced. */
export interface Edit {
  readonly range: Range;
  readonly bytes: Uint8Array;
}

const HEADER_BYTES = 8;
/** Sections of a component that hold another binary: https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md */
const NESTED = [1, 4];

/** A component with some of its bytes replaced, and the sizes of all that they stand in mended. */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  return spliceBinary(bytes, { start: 0, end: bytes.length }, edits);
}

function spliceBinary(
  bytes: Uint8Array,
  { start, end }: Range,
  edits: readonly Edit[],
): Uint8Array<ArrayBuffer> {
  const header = bytes.subarray(start, start + HEADER_BYTES);
  // The version of a core module is 1, that of a component is not.
  const isComponent = header[4] !== 1;
  const out = new Writer(end - start);
  out.copy(header);
  const reader = new Reader(bytes, start + HEADER_BYTES, end);
  while (!reader.done) {
    const id = reader.byte();
    const content = reader.skip(reader.u32());
    const within = edits.filter(({ range }) => range.start >= content.start && range.end <= content.end);
    const splicer = isComponent && NESTED.includes(id) ? spliceBinary : spliceContent;
    const spliced =
      within.length === 0 ? bytes.subarray(content.start, content.end) : splicer(bytes, content, within);
    out.byte(id);
    out.u32(spliced.length);
    out.copy(spliced);
  }
  return out.view();
}

function spliceContent(
  bytes: Uint8Array,
  { start, end }: Range,
  edits: readonly Edit[],
): Uint8Array<ArrayBuffer> {
  const out = new Writer(end - start);
  let from = start;
  for (const { range, bytes: replacement } of [...edits].sort((a, b) => a.range.start - b.range.start)) {
    out.copy(bytes.subarray(from, range.start));
    out.copy(replacement);
    from = range.end;
  }
  out.copy(bytes.subarray(from, end));
  return out.view();
}
