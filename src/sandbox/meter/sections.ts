import { Reader, type Writer } from "../binary/bytes.js";
import { ValueTypes } from "../binary/core-types.js";
import { SectionIds } from "../binary/section-ids.js";
import { METER_GLOBAL_ORDER, METER_NAMESPACE, MeterGlobals } from "../meter-contract.js";
import type { AddedTypes } from "./added-types.js";
import type { AddedFunction } from "./conventions.js";
import { type Renumbering, writeExpressions } from "./expressions.js";
import { fillsPrivateTable, functionsIn } from "./function-references.js";
import { type MeterCaps, writeMemoryType, writeTableType } from "./limits.js";

const KIND_FUNCTION = 0x00;
const KIND_GLOBAL = 0x03;
const FUNCTION_FORM = 0x60;
const MUTABLE = 0x01;

/** What rewriting the sections of one module needs. */
export interface Rewrite extends Renumbering {
  readonly caps: MeterCaps;
  readonly types: AddedTypes;
  /** The functions that come after the module's own. */
  readonly addedFunctions: readonly AddedFunction[];
}

type WriteSection = (rewrite: Rewrite, out: Writer) => void;

/** Each writes the content of one section, of the code the number of bodies only; sections without a writer are copied. */
export const sectionWriters: ReadonlyMap<number, WriteSection> = new Map<number, WriteSection>([
  [SectionIds.type, writeTypes],
  [SectionIds.import, writeImports],
  [SectionIds.function, writeFunctions],
  [SectionIds.table, writeTables],
  [SectionIds.memory, writeMemories],
  [SectionIds.global, writeGlobals],
  [SectionIds.export, writeExports],
  [SectionIds.start, writeStart],
  [SectionIds.element, writeElements],
  [SectionIds.code, writeCode],
  [SectionIds.data, writeData],
]);

/** Copies the section's items without their count. */
function copyItems({ module }: Rewrite, id: number, out: Writer): void {
  const section = module.sections.find((candidate) => candidate.id === id);
  if (!section) return;
  const items = new Reader(module.bytes, section.content.start, section.content.end);
  items.u32();
  out.copy(module.bytes, items.position, items.end);
}

function writeTypes(rewrite: Rewrite, out: Writer): void {
  const added = rewrite.types.all;
  out.u32(rewrite.module.types.length + added.length);
  copyItems(rewrite, SectionIds.type, out);
  for (const { params, results } of added) {
    out.byte(FUNCTION_FORM);
    for (const types of [params, results]) {
      out.u32(types.length);
      out.copy(Uint8Array.from(types));
    }
  }
}

function writeFunctions({ module, types, conventions, addedFunctions: added }: Rewrite, out: Writer): void {
  out.u32(module.bodies.length + added.length);
  for (let index = module.imported.func; index < module.functions.length; index++) {
    const typeIndex = module.functions[index] as number;
    out.u32(conventions.isPassing(index) ? types.passingFuel(typeIndex) : typeIndex);
  }
  for (const { typeIndex } of added) out.u32(typeIndex);
}

/** The meter's globals come after all of the guest's imports. */
function writeImports({ module, caps }: Rewrite, out: Writer): void {
  out.u32(module.imports.length + METER_GLOBAL_ORDER.length);
  for (const { kind, index, range, typeRange } of module.imports) {
    const memory = kind === "memory" ? module.memories[index] : undefined;
    const table = kind === "table" ? module.tables[index] : undefined;
    out.copy(module.bytes, range.start, memory || table ? typeRange.start : range.end);
    if (memory) writeMemoryType(out, memory, caps, true);
    if (table) writeTableType(out, table, caps, true);
  }
  for (const global of METER_GLOBAL_ORDER) {
    out.name(METER_NAMESPACE);
    out.name(MeterGlobals[global]);
    out.byte(KIND_GLOBAL);
    out.byte(global === "fuel" ? ValueTypes.i64 : ValueTypes.i32);
    out.byte(MUTABLE);
  }
}

function writeTables({ module, caps }: Rewrite, out: Writer): void {
  const defined = module.tables.slice(module.imported.table);
  out.u32(defined.length);
  for (const type of defined) writeTableType(out, type, caps, false);
}

function writeMemories({ module, caps }: Rewrite, out: Writer): void {
  const defined = module.memories.slice(module.imported.memory);
  out.u32(defined.length);
  for (const type of defined) writeMemoryType(out, type, caps, false);
}

function writeGlobals(rewrite: Rewrite, out: Writer): void {
  const { bytes, globalDefinitions } = rewrite.module;
  out.u32(globalDefinitions.length);
  for (const { range, init } of globalDefinitions) {
    out.copy(bytes, range.start, init.start);
    writeExpressions(rewrite, init, 1, out);
  }
}

function writeExports({ module, shiftGlobal, conventions }: Rewrite, out: Writer): void {
  out.u32(module.exports.length);
  for (const { name, kind, index, range } of module.exports) {
    if (kind !== "global" && kind !== "func") {
      out.copy(module.bytes, range.start, range.end);
      continue;
    }
    out.name(name);
    out.byte(kind === "global" ? KIND_GLOBAL : KIND_FUNCTION);
    out.u32(kind === "global" ? shiftGlobal(index) : conventions.front(index));
  }
}

function writeStart({ module, conventions }: Rewrite, out: Writer): void {
  out.u32(conventions.front(module.start ?? 0));
}

function writeElements(rewrite: Rewrite, out: Writer): void {
  const { bytes, elements } = rewrite.module;
  out.u32(elements.length);
  const { conventions } = rewrite;
  for (const segment of elements) {
    const { range, offset, items, itemsAreExpressions, count } = segment;
    const isPrivate = fillsPrivateTable(segment, conventions.isPrivate);
    const entry = (index: number) => (isPrivate ? conventions.back(index) : conventions.front(index));
    let from = range.start;
    if (offset) {
      out.copy(bytes, from, offset.start);
      writeExpressions(rewrite, offset, 1, out);
      from = offset.end;
    }
    out.copy(bytes, from, items.start);
    if (itemsAreExpressions) {
      writeExpressions(rewrite, items, count, out, entry);
    } else {
      for (const index of functionsIn(rewrite.module, segment)) out.u32(entry(index));
    }
  }
}

function writeData(rewrite: Rewrite, out: Writer): void {
  const { bytes, data } = rewrite.module;
  out.u32(data.length);
  for (const { range, offset } of data) {
    out.copy(bytes, range.start, offset?.start ?? range.end);
    if (!offset) continue;
    writeExpressions(rewrite, offset, 1, out);
    out.copy(bytes, offset.end, range.end);
  }
}

function writeCode({ module, addedFunctions: added }: Rewrite, out: Writer): void {
  out.u32(module.bodies.length + added.length);
}
