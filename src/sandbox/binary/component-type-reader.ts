import { readAlias } from "./component-alias.js";
import type { Cursor } from "./component-cursor.js";
import { addExtern } from "./component-scope.js";
import type {
  Case,
  ComponentTypeDef,
  Extern,
  Field,
  FuncType,
  PrimitiveName,
  ResourceType,
  ValueType,
} from "./component-types.js";
import { readValueType as readCoreValueType, readFunctionType } from "./core-types.js";
import { featureRefused, malformed } from "./refusal.js";

/** https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md#type-definitions */
const PRIMITIVES: Readonly<Record<number, PrimitiveName>> = {
  127: "bool",
  126: "s8",
  125: "u8",
  124: "s16",
  123: "u16",
  122: "s32",
  121: "u32",
  120: "s64",
  119: "u64",
  118: "f32",
  117: "f64",
  116: "char",
  115: "string",
};
const REFUSED_FORMS: Readonly<Record<number, string>> = {
  99: "maps",
  100: "error contexts",
  101: "futures",
  102: "streams",
  103: "lists of a fixed length",
  67: "asynchronous functions",
};
const VALUE_KINDS = new Set<string>([
  ...Object.values(PRIMITIVES),
  ..."record variant list tuple flags enum option result own borrow".split(" "),
]);

function isValueType(type: ComponentTypeDef): type is ValueType {
  return VALUE_KINDS.has(type.kind);
}

/** Reads one entry of a type section, or one type declaration. */
export function readType(cursor: Cursor): ComponentTypeDef {
  const { reader } = cursor;
  const offset = reader.position;
  const form = reader.byte();
  switch (form) {
    case 0x3f:
      return readResource(cursor, offset);
    case 0x40:
      return readFunc(cursor);
    case 0x41: {
      const exports = new Map<string, Extern>();
      const imports = new Map<string, Extern>();
      readDeclarations(cursor, exports, imports);
      return { kind: "component", imports, exports };
    }
    case 0x42: {
      const exports = new Map<string, Extern>();
      readDeclarations(cursor, exports);
      return { kind: "instance", exports };
    }
    default:
      return readDefinedValueType(cursor, form, offset);
  }
}

function readDefinedValueType(cursor: Cursor, form: number, offset: number): ValueType {
  const primitive = PRIMITIVES[form];
  if (primitive !== undefined) return { kind: primitive };
  switch (form) {
    case 0x72:
      return { kind: "record", fields: readFields(cursor) };
    case 0x71:
      return { kind: "variant", cases: cursor.vector(() => readCase(cursor)) };
    case 0x70:
      return { kind: "list", element: readValueType(cursor) };
    case 0x6f:
      return { kind: "tuple", elements: cursor.vector(() => readValueType(cursor)) };
    case 0x6e:
      return { kind: "flags", labels: cursor.vector(() => cursor.name()) };
    case 0x6d:
      return { kind: "enum", labels: cursor.vector(() => cursor.name()) };
    case 0x6b:
      return { kind: "option", element: readValueType(cursor) };
    case 0x6a: {
      const ok = cursor.optional(() => readValueType(cursor));
      const error = cursor.optional(() => readValueType(cursor));
      return { kind: "result", ok, error };
    }
    case 0x69:
      return { kind: "own", resource: readResourceIndex(cursor).resource };
    case 0x68:
      return { kind: "borrow", resource: readResourceIndex(cursor).resource };
    default: {
      const feature = REFUSED_FORMS[form];
      if (feature !== undefined) throw featureRefused(offset, feature);
      throw malformed(offset, `0x${form.toString(16)} is not a form of component type`);
    }
  }
}

/** A primitive type by its one byte, or the index of a value type. */
function readValueType(cursor: Cursor): ValueType {
  const { reader } = cursor;
  const offset = reader.position;
  const form = reader.s33();
  if (form >= 0) {
    const type = cursor.scope.get("type", form, offset);
    if (!isValueType(type)) throw malformed(offset, `type ${form} is no value type but of kind ${type.kind}`);
    return type;
  }
  const byte = reader.bytes[offset] ?? 0;
  const primitive = PRIMITIVES[byte];
  if (primitive !== undefined) return { kind: primitive };
  if (byte === 0x64) throw featureRefused(offset, "error contexts");
  throw malformed(offset, `0x${byte.toString(16)} is not a value type`);
}

function readFields(cursor: Cursor): Field[] {
  return cursor.vector(() => ({ name: cursor.name(), type: readValueType(cursor) }));
}

function readCase(cursor: Cursor): Case {
  const name = cursor.name();
  const type = cursor.optional(() => readValueType(cursor));
  cursor.choice("the 0 that ends a case", { 0: true });
  return { name, type };
}

function readFunc(cursor: Cursor): FuncType {
  const params = readFields(cursor);
  const hasResult = cursor.choice("0 or 1", { 0: true, 1: false });
  if (hasResult) return { kind: "func", params, result: readValueType(cursor) };
  cursor.choice("the 0 that ends an empty result", { 0: true });
  return { kind: "func", params, result: undefined };
}

function readResource(cursor: Cursor, offset: number): ResourceType {
  if (cursor.scope.kind === "type") throw malformed(offset, "a type declares a resource of its own");
  readCoreValueType(cursor.reader);
  const dtor = cursor.optional(() => cursor.index("core func"));
  return dtor === undefined ? { kind: "resource" } : { kind: "resource", dtor };
}

/** Reads the index of a resource type. */
export function readResourceIndex(cursor: Cursor): { index: number; resource: ResourceType } {
  const offset = cursor.reader.position;
  const index = cursor.index("type");
  const resource = cursor.scope.get("type", index, offset);
  if (resource.kind !== "resource") throw malformed(offset, `a type of kind ${resource.kind} is no resource`);
  return { index, resource };
}

/** The declarations of a component type, or of an instance type, which has no imports. */
function readDeclarations(outer: Cursor, exports: Map<string, Extern>, imports?: Map<string, Extern>): void {
  const cursor = outer.inner("type");
  cursor.vector(() => {
    const offset = cursor.reader.position;
    const kind = cursor.choice("a kind of declaration", {
      0: "core type",
      1: "type",
      2: "alias",
      3: "import",
      4: "export",
    });
    if (kind === "core type") readCoreType(cursor);
    else if (kind === "type") cursor.scope.add("type", readType(cursor));
    else if (kind === "alias") readAlias(cursor);
    else {
      const externs = kind === "export" ? exports : imports;
      if (externs === undefined) throw malformed(offset, "an instance type declares an import");
      const extern = readNamedExtern(cursor);
      cursor.scope.addExtern(extern);
      addExtern(externs, extern);
    }
  });
}

/** The name and the type of an import, or of a declared export. */
export function readNamedExtern(cursor: Cursor): Extern {
  const offset = cursor.reader.position;
  const name = cursor.externName();
  return readExternType(cursor, name, offset);
}

export function readExternType(cursor: Cursor, name: string, nameOffset: number): Extern {
  const { reader } = cursor;
  const offset = reader.position;
  const sort = cursor.sort();
  const extern = { name, offset: nameOffset };
  if (sort === "core module") throw featureRefused(offset, "core modules as imports or exports");
  if (sort === "type") {
    const isFresh = cursor.choice("a bound of a type", { 0: false, 1: true });
    const type = isFresh ? ({ kind: "resource" } as const) : cursor.item("type");
    return { ...extern, sort, type };
  }
  const type = cursor.item("type");
  if (sort === "func" && type.kind === "func") return { ...extern, sort, type };
  if (sort === "instance" && type.kind === "instance") return { ...extern, sort, type };
  if (sort === "component" && type.kind === "component") return { ...extern, sort, type };
  throw malformed(offset, `a ${sort} is declared with a type of kind ${type.kind}`);
}

/** Reads one entry of a core type section. Core module types serve only to import modules. */
export function readCoreType(cursor: Cursor): void {
  const { reader } = cursor;
  if (reader.bytes[reader.position] === 0x50) throw featureRefused(reader.position, "core module types");
  if (reader.bytes[reader.position] === 0x00) throw featureRefused(reader.position, "garbage collection");
  const offset = reader.position;
  readFunctionType(reader);
  cursor.scope.add("core type", undefined);
  cursor.scope.define({ kind: "core type", offset });
}
