import type { Range, Reader } from "./bytes.js";
import { readConstantExpression } from "./constant-expression.js";
import type { ExternKind, LocalsRun, ModuleDraft } from "./core-module.js";
import {
  readFunctionType,
  readGlobalType,
  readMemoryType,
  readTableType,
  readValueType,
} from "./core-types.js";
import { readElementSegment } from "./element-segment.js";
import type { InstructionReader } from "./instructions.js";
import { featureRefused, malformed } from "./refusal.js";
import { SectionIds } from "./section-ids.js";

const KINDS: readonly ExternKind[] = ["func", "table", "memory", "global", "tag"];

type ReadItem = (module: ModuleDraft, reader: Reader, instructions: InstructionReader) => void;

/** Sections that are a vector of items. */
const ITEMS: ReadonlyMap<number, ReadItem> = new Map<number, ReadItem>([
  [SectionIds.type, (module, reader) => module.types.push(readFunctionType(reader))],
  [SectionIds.import, readImport],
  [SectionIds.function, (module, reader) => module.functions.push(reader.index(module.types.length, "type"))],
  [SectionIds.table, readTable],
  [SectionIds.memory, (module, reader) => module.memories.push(readMemoryType(reader))],
  [SectionIds.tag, (module, reader) => module.tags.push(readTag(module, reader))],
  [SectionIds.global, readGlobal],
  [SectionIds.export, readExport],
  [SectionIds.element, readElementSegment],
  [SectionIds.code, readBody],
  [SectionIds.data, readDataSegment],
]);

/** Reads one section (not a custom one) into `module`. */
export function readSection(
  module: ModuleDraft,
  instructions: InstructionReader,
  id: number,
  reader: Reader,
): void {
  const readItem = ITEMS.get(id);
  if (readItem) {
    for (let count = reader.u32(); count > 0; count--) readItem(module, reader, instructions);
  } else if (id === SectionIds.start) {
    module.start = reader.index(module.functions.length, "function");
  } else {
    module.dataCount = reader.u32();
  }
}

function readKind(reader: Reader): ExternKind {
  const offset = reader.position;
  const kind = KINDS[reader.byte()];
  if (kind === undefined) throw malformed(offset, "this kind of import or export is unknown");
  return kind;
}

function readImport(module: ModuleDraft, reader: Reader): void {
  const start = reader.position;
  const from = reader.name();
  const name = reader.name();
  const kind = readKind(reader);
  const typeStart = reader.position;
  const at = module.imported[kind]++;
  if (kind === "func") module.functions.push(reader.index(module.types.length, "type"));
  else if (kind === "table") module.tables.push(readTableType(reader));
  else if (kind === "memory") module.memories.push(readMemoryType(reader));
  else if (kind === "global") module.globals.push(readGlobalType(reader));
  else module.tags.push(readTag(module, reader));
  const end = reader.position;
  module.imports.push({
    module: from,
    name,
    kind,
    index: at,
    range: { start, end },
    typeRange: { start: typeStart, end },
  });
}

function readTable(module: ModuleDraft, reader: Reader): void {
  if (reader.bytes[reader.position] === 0x40) {
    throw featureRefused(reader.position, "a table with an initialiser (typed function references)");
  }
  module.tables.push(readTableType(reader));
}

function readTag(module: ModuleDraft, reader: Reader): number {
  const offset = reader.position;
  const attribute = reader.byte();
  if (attribute !== 0) throw malformed(offset, `0x${attribute.toString(16)} is not the attribute of a tag`);
  return reader.index(module.types.length, "type");
}

function readGlobal(module: ModuleDraft, reader: Reader, instructions: InstructionReader): void {
  const start = reader.position;
  const type = readGlobalType(reader);
  const init = readConstantExpression(instructions, reader);
  module.globals.push(type);
  module.globalDefinitions.push({ range: { start, end: reader.position }, init });
}

function readExport(module: ModuleDraft, reader: Reader): void {
  const start = reader.position;
  const name = reader.name();
  const kind = readKind(reader);
  const spaces = {
    func: module.functions,
    table: module.tables,
    memory: module.memories,
    global: module.globals,
    tag: module.tags,
  };
  const at = reader.index(spaces[kind].length, kind);
  module.exports.push({ name, kind, index: at, range: { start, end: reader.position } });
}

function readBody(module: ModuleDraft, sectionReader: Reader): void {
  const reader = sectionReader.nest(sectionReader.u32(), "a function body");
  const start = reader.position;
  const locals: LocalsRun[] = [];
  let localCount = 0;
  for (let runs = reader.u32(); runs > 0; runs--) {
    const offset = reader.position;
    const count = reader.u32();
    localCount += count;
    if (localCount > 0xffff_ffff) throw malformed(offset, "a function has more than 2^32 - 1 locals");
    locals.push({ count, type: readValueType(reader) });
  }
  module.bodies.push({
    range: { start, end: reader.end },
    locals,
    localCount,
    code: { start: reader.position, end: reader.end },
  });
}

function readDataSegment(module: ModuleDraft, reader: Reader, instructions: InstructionReader): void {
  const start = reader.position;
  const flags = reader.u32();
  if (flags > 2) throw malformed(start, `${flags} are not the flags of a data segment`);
  let place: { memory: number; offset: Range } | undefined;
  if (flags !== 1) {
    const size = module.memories.length;
    if (flags === 0 && size === 0) throw malformed(start, "there is no memory 0");
    const memory = flags === 2 ? reader.index(size, "memory") : 0;
    place = { memory, offset: readConstantExpression(instructions, reader) };
  }
  const content = reader.skip(reader.u32());
  module.data.push({
    mode: place ? "active" : "passive",
    ...place,
    content,
    range: { start, end: reader.position },
  });
}
