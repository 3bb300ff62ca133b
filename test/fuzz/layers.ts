import { Reader, Writer } from "#src/sandbox/binary/bytes";
import { SectionIds } from "#src/sandbox/binary/section-ids";

const HEADER_BYTES = 8;
const CORE_VERSION = 1;
/** Of components: what is a binary of its own. */
const NESTED = new Set([1, 4]);

/** A component or a core module as its sections, of which the sizes are written anew. */
export interface Layer {
  header: Uint8Array;
  sections: Section[];
}

export interface Section {
  id: number;
  content: Uint8Array | Layer | Bodies;
}

/** A code section. */
export interface Bodies {
  bodies: Uint8Array[];
}

export function isModule({ header }: Layer): boolean {
  return header[4] === CORE_VERSION;
}

/** @throws WasmhookError where sizes do not fit */
export function readLayer(bytes: Uint8Array): Layer {
  const reader = new Reader(bytes);
  const header = taken(reader, HEADER_BYTES);
  const layer: Layer = { header, sections: [] };
  const isCore = isModule(layer);
  while (!reader.done) {
    const id = reader.byte();
    const content = taken(reader, reader.u32());
    layer.sections.push({ id, content: contentOf(isCore, id, content) });
  }
  return layer;
}

function contentOf(isCore: boolean, id: number, content: Uint8Array): Section["content"] {
  if (isCore && id === SectionIds.code) return { bodies: readBodies(content) };
  return !isCore && NESTED.has(id) ? readLayer(content) : content;
}

function readBodies(content: Uint8Array): Uint8Array[] {
  const reader = new Reader(content);
  return Array.from({ length: reader.u32() }, () => taken(reader, reader.u32()));
}

function taken(reader: Reader, length: number): Uint8Array {
  const { start, end } = reader.skip(length);
  return reader.bytes.subarray(start, end);
}

export function writeLayer({ header, sections }: Layer): Uint8Array {
  const out = new Writer(4096);
  out.copy(header);
  for (const { id, content } of sections) {
    const bytes = contentBytes(content);
    out.byte(id);
    out.u32(bytes.length);
    out.copy(bytes);
  }
  return out.view();
}

function contentBytes(content: Section["content"]): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if ("sections" in content) return writeLayer(content);
  const out = new Writer();
  out.u32(content.bodies.length);
  for (const body of content.bodies) {
    out.u32(body.length);
    out.copy(body);
  }
  return out.view();
}

/** A layer and all that are in it. */
export function layersIn(layer: Layer): Layer[] {
  const inner = layer.sections.flatMap(({ content }) => {
    return content instanceof Uint8Array || !("sections" in content) ? [] : layersIn(content);
  });
  return [layer, ...inner];
}
