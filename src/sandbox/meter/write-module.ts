import { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { SectionIds } from "../binary/section-ids.js";
import { METER_GLOBAL_ORDER } from "../meter-contract.js";
import type { MeterIndices } from "./helper-functions.js";
import type { MeterCaps } from "./limits.js";
import type { MeteredCode } from "./meter-code.js";
import { type Rewrite, sectionWriters } from "./sections.js";

const HEADER_BYTES = 8;

/** Custom sections that hold offsets into the code, or say where such are. */
const OFFSETS = /^(\.debug_.*|reloc\..*|linking|sourceMappingURL|metadata\.code\..*)$/;

/**
 * One way of metering the functions of a module. All charge the same; they differ in speed. An exception may come out
 * of any call where the guest `unwinds`.
 */
export type MeterCode = (
  module: CoreModule,
  globals: MeterIndices,
  shiftGlobal: (index: number) => number,
  unwinds: boolean,
) => MeteredCode;

/** Writes a module with its functions metered, the meter's globals imported, and its sizes capped. */
export function writeModule(
  module: CoreModule,
  caps: MeterCaps,
  unwinds: boolean,
  meterCode: MeterCode,
): Uint8Array<ArrayBuffer> {
  const firstOwn = module.imported.global;
  const globals = { fuel: firstOwn, pages: firstOwn + 1, elements: firstOwn + 2, refused: firstOwn + 3 };
  const shiftGlobal = (index: number) => (index < firstOwn ? index : index + METER_GLOBAL_ORDER.length);
  const code = meterCode(module, globals, shiftGlobal, unwinds);
  const rewrite: Rewrite = { module, caps, shiftGlobal, ...code };

  const contents = new Map<number, readonly Uint8Array[]>();
  // The types go last: the other sections ask for them.
  for (const id of [...sectionWriters.keys()].reverse()) {
    const section = module.sections.find((candidate) => candidate.id === id);
    if (!section && id !== SectionIds.import) continue;
    const { start = 0, end = 0 } = section?.content ?? {};
    const isCode = id === SectionIds.code;
    const content = new Writer(isCode ? 8 : end - start + 256);
    sectionWriters.get(id)?.(rewrite, content);
    contents.set(id, isCode ? [content.view(), code.bodies.view()] : [content.view()]);
  }
  return joined(sectionsOf(module, contents));
}

/** The module's sections in their order, with `contents` where there is one; imports where there were none. */
function sectionsOf(
  module: CoreModule,
  contents: ReadonlyMap<number, readonly Uint8Array[]>,
): readonly Uint8Array[] {
  const { bytes, range: all } = module;
  const parts = [bytes.subarray(all.start, all.start + HEADER_BYTES)];
  const write = (id: number) => {
    const content = contents.get(id) ?? [];
    const head = new Writer(8);
    head.byte(id);
    head.u32(content.reduce((sum, { length }) => sum + length, 0));
    parts.push(head.view(), ...content);
  };
  let importsWritten = false;
  const writeMissingImports = () => {
    if (!importsWritten) write(SectionIds.import);
    importsWritten = true;
  };
  for (const { id, name, range } of module.sections) {
    if (name !== undefined && OFFSETS.test(name)) continue;
    if (id === SectionIds.import) importsWritten = true;
    else if (id !== SectionIds.custom && id !== SectionIds.type) writeMissingImports();
    if (contents.has(id)) write(id);
    else parts.push(bytes.subarray(range.start, range.end));
  }
  writeMissingImports();
  return parts;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
