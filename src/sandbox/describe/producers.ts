import { WasmhookError } from "../../errors.js";
import { Reader } from "../binary/bytes.js";
import type { FoundSection } from "./file-sections.js";

/** One tool or language that a file says it was made with: `field` is such as `language` or `processed-by`. */
export interface Producer {
  field: string;
  name: string;
  version: string;
}

const MOST = 50;
/** Far more than any toolchain writes; what is behind it is not looked at. */
const MOST_BYTES = 64 * 1024;

/**
 * What the `producers` sections of a file say, each thing once, at most 50. It is the file's own word.
 * Source: https://github.com/WebAssembly/tool-conventions/blob/main/ProducersSection.md
 */
export function producersOf(bytes: Uint8Array, sections: readonly FoundSection[]): Producer[] {
  const found = new Map<string, Producer>();
  for (const section of customSections(sections)) {
    if (section.customName !== "producers") continue;
    const { start, end } = section.contents;
    try {
      readProducers(new Reader(bytes, start, Math.min(end, start + MOST_BYTES)), found);
    } catch (error) {
      // A custom section may hold anything; nothing depends on it.
      if (!(error instanceof WasmhookError)) throw error;
    }
  }
  return [...found.values()];
}

function* customSections(sections: readonly FoundSection[]): Generator<FoundSection> {
  for (const section of sections) {
    if (section.customName !== undefined) yield section;
    yield* customSections(section.sections);
  }
}

function readProducers(reader: Reader, found: Map<string, Producer>): void {
  for (let fields = reader.u32(); fields > 0; fields--) {
    const field = reader.name();
    for (let values = reader.u32(); values > 0; values--) {
      const producer = { field, name: reader.name(), version: reader.name() };
      found.set(JSON.stringify(producer), producer);
      if (found.size >= MOST) return;
    }
  }
}
