import { allOpcodes, Immediates, immediatesOf, opcodeName } from "../binary/opcodes.js";

/** What the scanner has to do with an instruction, beside its cost and its effect on the stack. */
export const Actions = {
  /** refused, or with rare immediates: left to the general reader */
  rare: 0,
  none: 1,
  /** one index or integer that needs no look */
  integer: 2,
  local: 3,
  memarg: 4,
  global: 5,
  end: 6,
  branch: 7,
  branchIf: 8,
  call: 9,
  block: 10,
  loop: 11,
  if: 12,
  else: 13,
  branchTable: 14,
  return: 15,
  callIndirect: 16,
  unreachable: 17,
  bytes4: 18,
  bytes8: 19,
  vector: 20,
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
    BY_NAME[opcodeName(opcode)] ?? BY_IMMEDIATES[immediatesOf[opcode] as number] ?? Actions.rare;
}
actionOf[0xfd] = Actions.vector;
