import { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { SectionIds } from "../binary/section-ids.js";
import { METER_GLOBAL_ORDER } from "../meter-contract.js";
import type { MeterIndices } from "./helper-functions.js";
import type { MeterCaps } from "./limits.js";
import type { MeteredCode } from "./meter-code.js";
import { type Rewrite, sectionWriters } from "./sections.js";

const HEADER_BYTES = 8;
/** The most of a section's id and length. */
const SECTION_HEAD_BYTES = 6;

/** Custom sections that hold offsets into the code, or say where such are. */
const OFFSETS = /^(\.debug_.*|reloc\..*|linking|sourceMappingURL|metadata\.code\..*)$/;

/** One way of metering the functions of a module. All charge the same; they differ in speed. */
export type MeterCode = (
  module: CoreModule,
  globals: MeterIndices,
  shiftGlobal: (index: number) => number,
) => MeteredCode;

/** Writes a module with its functions metered, the meter's globals imported, and its sizes capped. */
export function writeModule(
  module: CoreModule,
  caps: MeterCaps,
  meterCode: MeterCode,
): Uint8Array<ArrayBuffer> {
  const firstOwn = module.imported.global;
  const globals = { fuel: firstOwn, pages: firstOwn + 1, elements: firstOwn + 2, refused: firstOwn + 3 };
  const shiftGlobal = (index: number) => (index < firstOwn ? index : index + METER_GLOBAL_ORDER.length);
  const code = meterCode(module, globals, shiftGlobal);
  const rewrite: Rewrite = { module, caps, shiftGlobal, ...code };

  const present = new Set(module.sections.map(({ id }) => id));
  const contents = new Map<number, Writer>();
  // The types go last: the other sections ask for them.
  for (const id of [...sectionWriters.keys()].reverse()) {
    if (!present.has(id) && id !== SectionIds.import) continue;
    const content = new Writer();
    sectionWriters.get(id)?.(rewrite, content);
    contents.set(id, content);
    // A large module is here several times over: what is not needed any more is let go.
    if (id === SectionIds.code) code.bodies.finish();
  }
  return joinSections(module, contents);
}

/** The module's sections in their order, with `contents` where there is one; imports where there were none. */
function joinSections(module: CoreModule, contents: Map<number, Writer>): Uint8Array<ArrayBuffer> {
  const out = new Writer(joinedBytes(module, contents));
  out.copy(module.bytes, module.range.start, module.range.start + HEADER_BYTES);
  const write = (id: number) => {
    const content = contents.get(id) ?? new Writer();
    out.byte(id);
    out.u32(content.length);
    out.append(content);
    content.finish();
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
    else out.copy(module.bytes, range.start, range.end);
  }
  writeMissingImports();
  return out.finish();
}

/** At most so many bytes. */
function joinedBytes({ sections }: CoreModule, contents: ReadonlyMap<number, Writer>): number {
  const kept = sections.filter(({ id }) => !contents.has(id));
  const keptBytes = kept.reduce((sum, { range }) => sum + range.end - range.start, 0);
  const written = [...contents.values()].reduce((sum, { length }) => sum + length + SECTION_HEAD_BYTES, 0);
  return HEADER_BYTES + keptBytes + written + SECTION_HEAD_BYTES;
}
