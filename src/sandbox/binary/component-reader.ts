import { WasmhookError } from "../../errors.js";
import { Reader } from "./bytes.js";
import { readAlias } from "./component-alias.js";
import { readCanon } from "./component-canon.js";
import { type ComponentFile, type ComponentReadLimits, Cursor, type FoundName } from "./component-cursor.js";
import { InstantiationCount, readCoreInstance, readInstance, readItemExtern } from "./component-instance.js";
import { addExtern, Scope } from "./component-scope.js";
import { readCoreType, readExternType, readNamedExtern, readType } from "./component-type-reader.js";
import type { Component, DefinitionKind, Extern, ModuleSection, Section } from "./component-types.js";
import { overLimit } from "./over-limit.js";
import { featureRefused, malformed } from "./refusal.js";

const PREAMBLE_BYTES = 8;
const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const CORE = [0x01, 0x00, 0x00, 0x00];
const COMPONENT = [0x0d, 0x00, 0x01, 0x00];

/** https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md#component-definitions */
export const COMPONENT_SECTION_NAMES: Readonly<Record<number, string>> = {
  0: "custom",
  1: "core module",
  2: "core instance",
  3: "core type",
  4: "component",
  5: "instance",
  6: "alias",
  7: "type",
  8: "canon",
  9: "start",
  10: "import",
  11: "export",
  12: "value",
};

export interface ReadComponent {
  readonly component: Component;
  /** Every name that stands in the component layer, nested components included. */
  readonly names: readonly FoundName[];
}

/**
 * Tells what the first eight bytes announce.
 *
 * @throws WasmhookError `wasm-truncated` or `module-refused`
 */
export function readPreamble(reader: Reader): "core module" | "component" {
  const start = reader.position;
  const { start: at } = reader.skip(PREAMBLE_BYTES);
  const says = (expected: number[], from: number) =>
    expected.every((byte, i) => reader.bytes[at + from + i] === byte);
  if (!says(MAGIC, 0)) throw malformed(start, "it does not start with the bytes of WebAssembly");
  if (says(CORE, 4)) return "core module";
  if (says(COMPONENT, 4)) return "component";
  throw malformed(start + 4, "it is of a version of WebAssembly that is not known here");
}

/**
 * Reads the component layer of a file: every section, nested components too, each index checked and each
 * type followed. Core modules are left as ranges, for `readCoreModule`; whether arguments fit the imports
 * they are for is left to who links them.
 *
 * @throws WasmhookError `wasm-truncated`, `module-refused` or `feature-refused`, with the offset
 */
export function readComponent(bytes: Uint8Array, limits: ComponentReadLimits): ReadComponent {
  const { refusal, ...read } = readComponentSoFar(bytes, limits);
  if (refusal !== undefined) throw refusal;
  return read;
}

/** The same, as far as the file can be read: what ended the reading is told beside what was read until then. */
export function readComponentSoFar(
  bytes: Uint8Array,
  limits: ComponentReadLimits,
): ReadComponent & { refusal?: WasmhookError } {
  const file: ComponentFile = { limits, names: [], items: 0, sections: 0 };
  const reader = new Reader(bytes, 0, bytes.length, "the component");
  const scope = new Scope("component");
  const component = new Draft({ start: 0, end: reader.end }, scope.definitions);
  const read = { component, names: file.names };
  try {
    readBody(new Cursor(reader, scope, file, 1), component);
    return read;
  } catch (error) {
    if (error instanceof WasmhookError) return { ...read, refusal: error };
    throw error;
  }
}

/** A component while its sections are read. */
class Draft implements Component {
  readonly kind = "component";
  readonly imports = new Map<string, Extern>();
  readonly exports = new Map<string, Extern>();
  readonly sections: Section[] = [];
  readonly modules: ModuleSection[] = [];
  readonly components: Component[] = [];
  readonly definitions: Record<DefinitionKind, number> = { types: 0, canons: 0, aliases: 0 };
  readonly instantiates = new InstantiationCount();
  readonly range: Component["range"];
  readonly body: Component["body"];

  constructor(range: Component["range"], body: Component["body"]) {
    this.range = range;
    this.body = body;
  }
}

function readBody(cursor: Cursor, draft: Draft): void {
  const { reader } = cursor;
  const { position } = reader;
  if (readPreamble(reader) !== "component") throw malformed(position, "a core module stands for a component");
  while (!reader.done) {
    const offset = reader.position;
    countSection(cursor);
    const id = reader.byte();
    const name = COMPONENT_SECTION_NAMES[id];
    if (name === undefined) throw featureRefused(offset, `the unknown section ${id}`);
    const contents = reader.nest(reader.u32(), `the ${name} section`);
    const range = { start: contents.position, end: contents.end };
    const customName = id === 0 ? contents.name() : undefined;
    draft.sections.push({ id, name, customName, offset, contents: range });
    readSection(draft, id, cursor.within(contents), offset);
  }
}

/** A section takes two bytes in the file, and far more once it is read. */
function countSection({ file, reader }: Cursor): void {
  file.sections++;
  const allowed = file.limits.componentSections;
  if (file.sections > allowed) {
    throw overLimit("componentSections", "sections", file.sections, allowed, reader.position);
  }
}

function readSection(draft: Draft, id: number, cursor: Cursor, offset: number): void {
  const { reader, scope } = cursor;
  if (id === 0) return;
  if (id === 1) {
    const module = { range: { start: reader.position, end: reader.end } };
    draft.modules.push(module);
    scope.add("core module", module);
    scope.define({ kind: "core module", offset, module });
  } else if (id === 4) {
    const inner = cursor.inner("component");
    const component = new Draft({ start: reader.position, end: reader.end }, inner.scope.definitions);
    readBody(inner, component);
    draft.components.push(component);
    scope.add("component", component);
    scope.define({ kind: "component", offset, component });
  } else {
    const readDefinition = DEFINITIONS[id];
    if (readDefinition === undefined) throw featureRefused(offset, REFUSED_SECTIONS[id] ?? `section ${id}`);
    cursor.vector(() => readDefinition(cursor, draft));
    reader.finish();
  }
}

const REFUSED_SECTIONS: Readonly<Record<number, string>> = {
  9: "start functions of components",
  12: "component values",
};

/** What each section is a vector of. */
const DEFINITIONS: Readonly<Record<number, (cursor: Cursor, draft: Draft) => void>> = {
  2: (cursor, draft) => readCoreInstance(cursor, draft.instantiates),
  3: (cursor, draft) => {
    draft.definitions.types++;
    readCoreType(cursor);
  },
  5: (cursor, draft) => readInstance(cursor, draft.instantiates),
  6: (cursor, draft) => {
    draft.definitions.aliases++;
    readAlias(cursor);
  },
  7: (cursor, draft) => {
    draft.definitions.types++;
    const offset = cursor.reader.position;
    const type = readType(cursor);
    cursor.scope.add("type", type);
    const resource = type.kind === "resource" ? { resource: { dtor: type.dtor } } : {};
    cursor.scope.define({ kind: "type", offset, ...resource });
  },
  8: (cursor, draft) => {
    draft.definitions.canons++;
    readCanon(cursor);
  },
  10: (cursor, draft) => {
    const { position } = cursor.reader;
    const extern = readNamedExtern(cursor);
    if (extern.sort === "component") throw featureRefused(position, "components as imports");
    const { sort, name } = extern;
    addExtern(draft.imports, extern);
    cursor.scope.addExtern(extern);
    cursor.scope.define({ kind: "import", offset: position, sort, name });
  },
  11: (cursor, draft) => {
    const extern = readExport(cursor);
    addExtern(draft.exports, extern);
    cursor.scope.addExtern(extern);
  },
};

/** An export, of the type that it is declared with where it is. */
function readExport(cursor: Cursor): Extern {
  const offset = cursor.reader.position;
  const name = cursor.externName();
  const { extern, item } = readItemExtern(cursor, name, offset);
  cursor.scope.define({ kind: "export", offset, ...item });
  const typeOffset = cursor.reader.position + 1;
  const declared = cursor.optional(() => readExternType(cursor, name, offset));
  if (declared !== undefined && declared.sort !== extern.sort) {
    throw malformed(typeOffset, `a ${extern.sort} is exported as a ${declared.sort}`);
  }
  return declared ?? extern;
}
