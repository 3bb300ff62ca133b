import { Writer } from "../binary/bytes.js";
import { ValueTypes } from "../binary/core-types.js";
import { MISC_PREFIX, opcodeNumber } from "../binary/opcodes.js";

/** The block type of a block without parameters and results. */
export const NO_TYPE = 0x40;

/** Appends one instruction whose immediates are indices, a one-byte block type, or a constant. */
export function assemble(out: Writer, name: string, ...immediates: number[]): void {
  const opcode = opcodeNumber(name);
  if (opcode > 0xff) out.byte(MISC_PREFIX);
  out.byte(opcode & 0xff);
  for (const immediate of immediates) {
    if (name.endsWith(".const")) out.signed(immediate);
    else out.u32(immediate);
  }
}

/** Starts a function body with no locals, or with one. */
export function startBody(type?: keyof typeof ValueTypes): Writer {
  const body = new Writer();
  if (type === undefined) body.u32(0);
  else body.copy(Uint8Array.of(1, 1, ValueTypes[type]));
  return body;
}
