import { type Range, Reader } from "../binary/bytes.js";
import type { CoreModule, ElementSegment } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";

const GLOBAL_GET = opcodeNumber("global.get");
const REF_FUNC = opcodeNumber("ref.func");

/**
 * Tables that nothing but this module's `call_indirect` and its segments' own offsets ever reach, so that the
 * functions in them may be of another kind than the guest declared.
 *
 * @param used tables that other instructions work with, by index
 */
export function privateTables(module: CoreModule, used: Uint8Array): boolean[] {
  const exported = new Set(module.exports.filter(({ kind }) => kind === "table").map(({ index }) => index));
  const foreign = new Set(
    module.elements.filter((segment) => namesGlobals(module, segment)).map(({ table }) => table),
  );
  return module.tables.map((_, i) => {
    return i >= module.imported.table && !exported.has(i) && used[i] !== 1 && !foreign.has(i);
  });
}

/** Whether all that a segment is for is to fill a private table. */
export function fillsPrivateTable(
  { mode, table = 0 }: ElementSegment,
  isPrivate: readonly boolean[],
): boolean {
  return mode === "active" && isPrivate[table] === true;
}

/** The functions that a segment names. */
export function functionsIn(module: CoreModule, segment: ElementSegment): number[] {
  const { items, itemsAreExpressions, count } = segment;
  if (itemsAreExpressions) return functionsInExpressions(module, items, count);
  const indices = new Reader(module.bytes, items.start, items.end);
  return Array.from({ length: count }, () => indices.u32());
}

/** The functions that a module names in exports and globals, and as its start. */
export function functionsOutside(module: CoreModule): number[] {
  const found = module.exports.filter(({ kind }) => kind === "func").map(({ index }) => index);
  for (const { init } of module.globalDefinitions) found.push(...functionsInExpressions(module, init, 1));
  if (module.start !== undefined) found.push(module.start);
  return found;
}

/** Whether a segment takes functions from globals, of which nothing is known. */
function namesGlobals(module: CoreModule, { items, itemsAreExpressions, count }: ElementSegment): boolean {
  return itemsAreExpressions && operandsOf(GLOBAL_GET, module, items, count).length > 0;
}

function functionsInExpressions(module: CoreModule, range: Range, count: number): number[] {
  return operandsOf(REF_FUNC, module, range, count);
}

function operandsOf(opcode: number, module: CoreModule, range: Range, count: number): number[] {
  const found: number[] = [];
  const instructions = new InstructionReader(module);
  let position = range.start;
  for (let i = 0; i < count; i++) {
    instructions.enter(position, range.end, 0);
    while (instructions.next()) if (instructions.opcode === opcode) found.push(instructions.first);
    position = instructions.end;
  }
  return found;
}
