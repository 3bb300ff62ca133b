import { Reader } from "#src/sandbox/binary/bytes";
import { type CoreModule, readCoreModule } from "#src/sandbox/binary/core-module";
import type { FunctionType } from "#src/sandbox/binary/core-types";
import { decode, type Instruction } from "./decode.js";
import type { Interpreter } from "./machine.js";
import { type Extern, type Func, Global, type Instance, Memory, Table, Tag } from "./store.js";
import { type Reference, Trap, Unsupported } from "./values.js";

export type Imports = (module: string, name: string) => Extern | undefined;

/** https://webassembly.github.io/spec/core/exec/modules.html#instantiation; the module must be valid. */
export function instantiate(machine: Interpreter, bytes: Uint8Array, imports: Imports): Instance {
  const module = readCoreModule(bytes);
  const instance: Instance = {
    types: module.types,
    functions: [],
    tables: [],
    memories: [],
    globals: [],
    tags: [],
    elements: [],
    data: [],
    exports: new Map(),
  };
  for (const { module: from, name, kind } of module.imports) {
    const found = imports(from, name);
    if (!found) throw new Unsupported(`the import ${from} ${name}`);
    (spaceOf(instance, kind) as Extern[]).push(found);
  }
  define(machine, module, instance);
  for (const { name, kind, index } of module.exports) {
    instance.exports.set(name, spaceOf(instance, kind)[index] as Extern);
  }
  fill(machine, module, instance);
  if (module.start !== undefined) machine.call(instance.functions[module.start] as Func, []);
  return instance;
}

function spaceOf(instance: Instance, kind: "func" | "table" | "memory" | "global" | "tag"): Extern[] {
  const { functions, tables, memories, globals, tags } = instance;
  return { func: functions, table: tables, memory: memories, global: globals, tag: tags }[kind];
}

function define(machine: Interpreter, module: CoreModule, instance: Instance): void {
  const { imported } = module;
  for (const [i, body] of module.bodies.entries()) {
    const type = module.types[module.functions[imported.func + i] ?? -1] as FunctionType;
    let code: readonly Instruction[] | undefined;
    const locals = body.locals.flatMap(({ count, type: local }) => new Array(count).fill(local));
    instance.functions.push({
      type,
      defined: {
        instance,
        locals,
        code: () => {
          code ??= decode(module, body.code.start, body.code.end);
          return code;
        },
      },
    });
  }
  for (const { min, max } of module.tables.slice(imported.table)) {
    instance.tables.push(new Table(min, max ?? 0xffff_ffff));
  }
  for (const { min, max } of module.memories.slice(imported.memory)) {
    if (min > 2048) throw new Unsupported("a large memory");
    instance.memories.push(new Memory(min, max ?? 65_536));
  }
  for (const index of module.tags.slice(imported.tag)) {
    instance.tags.push(new Tag(module.types[index] as FunctionType));
  }
  for (const [i, { init }] of module.globalDefinitions.entries()) {
    const type = module.globals[imported.global + i]?.type ?? 0x7f;
    instance.globals.push(new Global(type, machine.evaluate(instance, decode(module, init.start, init.end))));
  }
}

/** The items of an element segment, evaluated. */
function items(machine: Interpreter, module: CoreModule, instance: Instance, index: number): Reference[] {
  const segment = module.elements[index];
  if (!segment) return [];
  const reader = new Reader(module.bytes, segment.items.start, segment.items.end);
  const one = (): Reference => {
    if (!segment.itemsAreExpressions) return instance.functions[reader.u32()] as Func;
    const code: Instruction[] = [];
    // An item is one instruction and its `end`: `ref.func`, `ref.null` or `global.get`.
    const start = reader.position;
    reader.byte();
    reader.u32();
    reader.byte();
    code.push(...decode(module, start, reader.position));
    return machine.evaluate(instance, code) as Reference;
  };
  return Array.from({ length: segment.count }, one);
}

/** Segments are written one after the other; the first that does not fit traps. */
function fill(machine: Interpreter, module: CoreModule, instance: Instance): void {
  for (const index of module.elements.keys()) {
    instance.elements.push(items(machine, module, instance, index));
  }
  for (const { content } of module.data) {
    instance.data.push(module.bytes.slice(content.start, content.end));
  }
  const at = (range: { start: number; end: number }) =>
    (machine.evaluate(instance, decode(module, range.start, range.end)) as number) >>> 0;
  for (const [i, { mode, table = 0, offset }] of module.elements.entries()) {
    const values = instance.elements[i] ?? [];
    if (mode === "active" && offset) {
      const { elements } = instance.tables[table] as Table;
      const start = at(offset);
      if (start + values.length > elements.length) throw new Trap("table out of bounds");
      for (const [k, value] of values.entries()) elements[start + k] = value;
    }
    if (mode !== "passive") instance.elements[i] = [];
  }
  for (const [i, { mode, memory = 0, offset }] of module.data.entries()) {
    if (mode !== "active" || !offset) continue;
    const { bytes } = instance.memories[memory] as Memory;
    const start = at(offset);
    const content = instance.data[i] ?? new Uint8Array();
    if (start + content.length > bytes.length) throw new Trap("memory out of bounds");
    bytes.set(content, start);
    instance.data[i] = new Uint8Array();
  }
}
