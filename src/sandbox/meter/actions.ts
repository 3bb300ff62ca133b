import { allOpcodes, Immediates, immediatesOf, opcodeName } from "../binary/opcodes.js";
import { instructionCost } from "./cost-table.js";
import { Shapes, shapeTaken } from "./float-shapes.js";
import { stackEffect } from "./instruction-effects.js";

/** What the scanner has to do with an instruction, beside its cost and its effect on the stack. */
export const Actions = {
  /** refused, or with rare immediates: left to the general reader */
  rare: 0,
  none: 1,
  /** one index or integer that needs no look */
  integer: 2,
  memarg: 3,
  global: 4,
  bytes4: 5,
  bytes8: 6,
  /** of an integer to a float */
  convert: 7,
  /** from here on, what is followed of floats on the stack is no matter of its height alone */
  local: 8,
  float: 9,
  vector: 10,
  end: 11,
  branch: 12,
  branchIf: 13,
  call: 14,
  block: 15,
  loop: 16,
  if: 17,
  else: 18,
  branchTable: 19,
  return: 20,
  callIndirect: 21,
  unreachable: 22,
} as const;

/** By the instruction's first byte. */
const actionOf = new Uint8Array(256);

const BY_IMMEDIATES: Readonly<Record<number, number>> = {
  [Immediates.none]: Actions.none,
  [Immediates.i32]: Actions.integer,
  [Immediates.i64]: Actions.integer,
  [Immediates.f32]: Actions.bytes4,
  [Immediates.f64]: Actions.bytes8,
  [Immediates.local]: Actions.local,
  [Immediates.memarg]: Actions.memarg,
  [Immediates.global]: Actions.global,
};

const BY_NAME: Readonly<Record<string, number>> = {
  end: Actions.end,
  br: Actions.branch,
  br_if: Actions.branchIf,
  call: Actions.call,
  block: Actions.block,
  loop: Actions.loop,
  if: Actions.if,
  else: Actions.else,
  br_table: Actions.branchTable,
  return: Actions.return,
  call_indirect: Actions.callIndirect,
  unreachable: Actions.unreachable,
  throw_ref: Actions.rare,
  catch_all: Actions.rare,
};

for (const opcode of allOpcodes()) {
  if (opcode > 0xff) continue;
  actionOf[opcode] =
    (shapeTaken[opcode] === Shapes.none ? undefined : Actions.float) ??
    BY_NAME[opcodeName(opcode)] ??
    (/^f\d\d\.convert_/.test(opcodeName(opcode)) ? Actions.convert : undefined) ??
    BY_IMMEDIATES[immediatesOf[opcode] as number] ??
    Actions.rare;
}
actionOf[0xfd] = Actions.vector;

/**
 * By the instruction's first byte: its action in the lowest byte, its cost in the next twelve bits, then its effect
 * on the stack.
 */
export const instructionFacts = Int32Array.from(actionOf, (action, opcode) => {
  return action | ((instructionCost[opcode] as number) << 8) | ((stackEffect[opcode] as number) << 20);
});
