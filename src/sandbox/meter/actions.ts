import { allOpcodes, Immediates, immediatesOf, opcodeName } from "../binary/opcodes.js";
import { Shapes, shapeTaken } from "./float-shapes.js";

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
  /** from here on, what is followed of floats on the stack is no matter of its height alone */
  local: 7,
  float: 8,
  vector: 9,
  end: 10,
  branch: 11,
  branchIf: 12,
  call: 13,
  block: 14,
  loop: 15,
  if: 16,
  else: 17,
  branchTable: 18,
  return: 19,
  callIndirect: 20,
  unreachable: 21,
} as const;

/** By the instruction's first byte. */
export const actionOf = new Uint8Array(256);

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
    BY_IMMEDIATES[immediatesOf[opcode] as number] ??
    Actions.rare;
}
actionOf[0xfd] = Actions.vector;
