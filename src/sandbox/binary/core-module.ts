import { WasmhookError } from "../../errors.js";
import { type Range, Reader } from "./bytes.js";
import type {
  FunctionType,
  GlobalType,
  MemoryType,
  ReferenceType,
  TableType,
  ValueType,
} from "./core-types.js";
import { InstructionReader } from "./instructions.js";
import { featureRefused, malformed } from "./refusal.js";
import { SECTION_ORDER, SectionIds } from "./section-ids.js";
import { readSection } from "./sections.js";

export type ExternKind = "func" | "table" | "memory" | "global" | "tag";

/** `index` is the item's index in its own index space. `range` covers the whole entry. */
export interface Import {
  readonly module: string;
  readonly name: string;
  readonly kind: ExternKind;
  readonly index: number;
  readonly range: Range;
  /** of the type after the kind byte */
  readonly typeRange: Range;
}

export interface Export {
  readonly name: string;
  readonly kind: ExternKind;
  readonly index: number;
  readonly range: Range;
}

/** A global that the module defines; `init` is its expression, `end` included. */
export interface GlobalDefinition {
  readonly range: Range;
  readonly init: Range;
}

export interface LocalsRun {
  readonly count: number;
  readonly type: ValueType;
}

/** A function body; `range` is without its size field, `code` is the expression without the locals. */
export interface FunctionBody {
  readonly range: Range;
  readonly locals: readonly LocalsRun[];
  /** without parameters */
  readonly localCount: number;
  readonly code: Range;
}

export interface ElementSegment {
  readonly mode: "active" | "passive" | "declarative";
  readonly type: ReferenceType;
  /** active only */
  readonly table?: number;
  readonly offset?: Range;
  readonly count: number;
  /** of the function indices or expressions, without the count */
  readonly items: Range;
  readonly itemsAreExpressions: boolean;
  readonly range: Range;
}

export interface DataSegment {
  readonly mode: "active" | "passive";
  readonly memory?: number;
  readonly offset?: Range;
  readonly content: Range;
  readonly range: Range;
}

/** `content` is what follows the size; for a custom section, what follows its name. */
export interface Section {
  readonly id: number;
  /** custom sections only */
  readonly name?: string;
  /** with id and size */
  readonly range: Range;
  readonly content: Range;
}

/** One core module. Each index space holds imports first, in order, as the specification numbers them. */
export interface CoreModule {
  readonly bytes: Uint8Array;
  readonly range: Range;
  readonly sections: readonly Section[];
  readonly types: readonly FunctionType[];
  readonly imports: readonly Import[];
  /** type index of each function */
  readonly functions: readonly number[];
  readonly tables: readonly TableType[];
  readonly memories: readonly MemoryType[];
  /** type index of each tag */
  readonly tags: readonly number[];
  readonly globals: readonly GlobalType[];
  readonly imported: Readonly<Record<ExternKind, number>>;
  readonly globalDefinitions: readonly GlobalDefinition[];
  readonly exports: readonly Export[];
  readonly start?: number;
  readonly elements: readonly ElementSegment[];
  readonly dataCount?: number;
  /** body `i` belongs to function `imported.func + i` */
  readonly bodies: readonly FunctionBody[];
  readonly data: readonly DataSegment[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
/** A module while its sections are read. */
export type ModuleDraft = Omit<Mutable<CoreModule>, "imported"> & { imported: Record<ExternKind, number> };

/**
 * Reads every section of the core module in `bytes[start..end)`: structure, order, and that each index
 * names something. Function bodies are delimited but not decoded (see `InstructionReader`); types are left
 * to the engine's own validation.
 *
 * @throws WasmhookError `wasm-truncated`, `module-refused` or `feature-refused`, each with its offset in `bytes`
 */
export function readCoreModule(bytes: Uint8Array, start = 0, end = bytes.length): CoreModule {
  const { module, refusal } = readCoreModuleSoFar(bytes, start, end);
  if (refusal !== undefined) throw refusal;
  return module;
}

/** The same, as far as the module can be read: what ended the reading is told beside what was read until then. */
export function readCoreModuleSoFar(
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
): { module: CoreModule; refusal?: WasmhookError } {
  const reader = new Reader(bytes, start, end, "the module");
  const module: ModuleDraft = {
    bytes,
    range: { start, end: reader.end },
    sections: [],
    types: [],
    imports: [],
    functions: [],
    tables: [],
    memories: [],
    tags: [],
    globals: [],
    imported: { func: 0, table: 0, memory: 0, global: 0, tag: 0 },
    globalDefinitions: [],
    exports: [],
    elements: [],
    bodies: [],
    data: [],
  };
  try {
    readSections(module, reader);
    return { module };
  } catch (error) {
    if (error instanceof WasmhookError) return { module, refusal: error };
    throw error;
  }
}

function readSections(module: ModuleDraft, reader: Reader): void {
  readHeader(reader);
  const instructions = new InstructionReader(module);
  let place = -1;
  while (!reader.done) {
    const from = reader.position;
    const id = reader.byte();
    if (id !== SectionIds.custom) {
      const next = SECTION_ORDER.indexOf(id);
      if (next < 0) throw featureRefused(from, `the unknown section ${id}`);
      if (next <= place) throw malformed(from, `section ${id} comes twice or out of order`);
      place = next;
    }
    const content = reader.nest(reader.u32(), `section ${id}`);
    const name = id === SectionIds.custom ? content.name() : undefined;
    const range = { start: content.position, end: content.end };
    module.sections.push({
      id,
      ...(name === undefined ? {} : { name }),
      range: { start: from, end: content.end },
      content: range,
    });
    if (id === SectionIds.custom) continue;
    readSection(module, instructions, id, content);
    content.finish();
  }
  checkCounts(module);
}

function readHeader(reader: Reader): void {
  const start = reader.position;
  const magic = [0x00, 0x61, 0x73, 0x6d];
  if (magic.some((byte) => reader.byte() !== byte))
    throw malformed(start, "it does not start with the bytes of WebAssembly");
  const version = [0x01, 0x00, 0x00, 0x00];
  if (version.some((byte) => reader.byte() !== byte))
    throw malformed(start + 4, "it is not version 1 of core WebAssembly");
}

function checkCounts(module: ModuleDraft): void {
  const { end } = module.range;
  const declared = module.functions.length - module.imported.func;
  if (declared !== module.bodies.length) {
    throw malformed(end, `${declared} functions are declared, and ${module.bodies.length} have a body`);
  }
  if (module.dataCount !== undefined && module.dataCount !== module.data.length) {
    throw malformed(
      end,
      `${module.dataCount} data segments are declared, and ${module.data.length} are there`,
    );
  }
}
