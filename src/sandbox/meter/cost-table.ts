import { MISC_PREFIX, opcodeNumber, SIMD_PREFIX } from "../binary/opcodes.js";

/** Changes whenever the fuel of any program changes. */
export const COST_TABLE_VERSION = 1;

/** For each call of a function that the module defines, beside the instruction that called. */
export const FUNCTION_ENTRY_COST = 1;

/** Each byte of `memory.copy`, `memory.fill`, `memory.init`, beside the instruction. */
export const BYTE_COST = 1;

/** Each element of `table.copy`, `table.fill`, `table.init`, `table.grow`, beside the instruction. */
export const ELEMENT_COST = 1;

/** Each page of 64 KiB of a `memory.grow` that succeeds: what the first touch of its bytes will take. */
export const PAGE_COST = 1024;

const FREE = "nop drop block loop end else return unreachable try catch catch_all delegate try_table".split(
  " ",
);

/** Fuel for one execution of an instruction, by its number in the opcode table. */
export const instructionCost = new Uint8Array(0x1_0000).fill(1);
for (const name of FREE) instructionCost[opcodeNumber(name)] = 0;
// The bytes before the numbers of others are no instructions.
instructionCost[MISC_PREFIX] = instructionCost[SIMD_PREFIX] = 0;
