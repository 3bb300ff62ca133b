import { Reader, Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { SECTION_ORDER, SectionIds } from "../binary/section-ids.js";
import { entryCost, instructionCost } from "../meter/cost-table.js";

/** The exported table through which a wrapped module tells of calls: `enter` and `leave`, of type `(i32) -> ()`. */
export const PROFILE_TABLE = "wasmhook:profile";

const HEADER_BYTES = 8;
const FUNC = 0x60;
const FUNCREF = 0x70;
const I32 = 0x7f;
const TABLE_EXPORT = 1;
const Code = { call: 0x10, callIndirect: 0x11, localGet: 0x20, i32Const: 0x41, end: 0x0b } as const;

/** A module that tells of each call of its functions, and what each of these takes of the fuel for it. */
export interface WrappedModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By the function's place among those that the module defines. */
  readonly wrapperFuel: readonly number[];
}

/**
 * Puts a wrapper in the place of each function of a module that is not metered yet: it tells the host, calls the
 * function, which is moved to the end, and tells the host again. Nothing refers to another index than before. A
 * module that runs code while it is instantiated, before anybody could be told, is left as it is.
 *
 * @param firstId what the module's first function is told as; the others follow
 * @param unwinds whether an exception may end calls of this guest
 */
export function wrapFunctions(
  module: CoreModule,
  firstId: number,
  unwinds: boolean,
): WrappedModule | undefined {
  const { bytes, bodies, imported, functions, types, tables, start } = module;
  if (bodies.length === 0 || start !== undefined) return undefined;
  const own = functions.slice(imported.func);
  const tell = { type: types.length, table: tables.length };
  const added: Record<number, { count: number; write(out: Writer): void }> = {
    [SectionIds.type]: { count: 1, write: (out) => write(out, FUNC, 1, I32, 0) },
    [SectionIds.function]: {
      count: own.length,
      write(out) {
        for (const type of own) out.u32(type);
      },
    },
    [SectionIds.table]: { count: 1, write: (out) => write(out, FUNCREF, 1, 2, 2) },
    [SectionIds.export]: {
      count: 1,
      write(out) {
        out.name(PROFILE_TABLE);
        out.byte(TABLE_EXPORT);
        out.u32(tell.table);
      },
    },
  };
  const out = new Writer(bytes.length * 2);
  out.copy(bytes, module.range.start, module.range.start + HEADER_BYTES);
  for (const id of SECTION_ORDER) {
    const section = module.sections.find((candidate) => candidate.id === id);
    const more = added[id];
    if (section === undefined && more === undefined) continue;
    const content = new Writer();
    const { start: from, end } = section?.content ?? { start: 0, end: 0 };
    const reader = new Reader(bytes, from, end);
    if (id === SectionIds.code) {
      content.u32(bodies.length * 2);
      reader.u32();
      for (const [i, type] of own.entries()) {
        const body = wrapper(firstId + i, functions.length + i, types[type]?.params.length ?? 0, tell);
        content.u32(body.length);
        content.append(body);
      }
    } else if (more !== undefined) {
      content.u32((section === undefined ? 0 : reader.u32()) + more.count);
    }
    content.copy(bytes, reader.position, end);
    more?.write(content);
    out.byte(id);
    out.u32(content.length);
    out.append(content);
  }
  const wrapperFuel = own.map((type) => fuelOf(types[type]?.params.length ?? 0, unwinds));
  return { bytes: out.view(), wrapperFuel };
}

function wrapper(
  id: number,
  moved: number,
  parameters: number,
  { type, table }: { type: number; table: number },
): Writer {
  const out = new Writer(32);
  const tell = (slot: number) => {
    out.byte(Code.i32Const);
    out.signed(id);
    write(out, Code.i32Const, slot, Code.callIndirect);
    out.u32(type);
    out.u32(table);
  };
  out.u32(0);
  tell(0);
  for (let i = 0; i < parameters; i++) {
    out.byte(Code.localGet);
    out.u32(i);
  }
  out.byte(Code.call);
  out.u32(moved);
  tell(1);
  out.byte(Code.end);
  return out;
}

/** What `wrapper` costs, by the cost table. */
function fuelOf(parameters: number, unwinds: boolean): number {
  const cost = (name: string) => instructionCost[opcodeNumber(name)] ?? 0;
  const told = 2 * cost("i32.const") + cost("call_indirect");
  const none = { start: 0, end: 0 };
  const entry = entryCost({ range: none, locals: [], localCount: 0, code: none }, unwinds);
  return entry + 2 * told + parameters * cost("local.get") + cost("call");
}

function write(out: Writer, ...bytes: number[]): void {
  for (const byte of bytes) out.byte(byte);
}
