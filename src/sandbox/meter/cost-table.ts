import type { FunctionBody } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { MISC_PREFIX, opcodeNumber, SIMD_PREFIX } from "../binary/opcodes.js";

/** Changes whenever the fuel of any program changes. */
export const COST_TABLE_VERSION = 4;

/** For each call of a function that the module defines, beside the instruction that called. */
export const FUNCTION_ENTRY_COST = 1;

/** On top of that, for each so many of its locals beside the parameters; a vector counts as two. They are set to zero. */
export const LOCALS_PER_UNIT = 4;

/** On top of that in a guest with exception tags: an exception may have to unwind the call. */
export const UNWINDING_COST = 128;

/** Each byte of `memory.copy`, `memory.fill`, `memory.init`, beside the instruction. */
export const BYTE_COST = 1;

/** Each element of `table.copy`, `table.fill`, `table.init`, `table.grow`, beside the instruction. */
export const ELEMENT_COST = 12;

/** A `memory.grow` that succeeds by a page or more, beside the instruction: engines make a new buffer. */
export const GROWTH_COST = 8000;

/** Each page of 64 KiB of a `memory.grow` that succeeds: what the first touch of its bytes will take. */
export const PAGE_COST = 1024;

/**
 * Fuel for one execution of an instruction, by its number in the opcode table: 1, but for those below. Weights
 * are such that a unit buys no more than about 5 ns, whatever the operands: see `bench/fuel-price`.
 */
export const instructionCost = new Uint16Array(0x1_0000).fill(1);

const WEIGHTS: readonly (readonly [cost: number, names: string])[] = [
  [0, "nop drop block loop end else return unreachable try catch catch_all delegate try_table"],
  // Many processors take a hundred cycles where an operand or the result is denormal.
  [4, "f32.add f32.sub f32.mul f32.div f32.sqrt f64.add f64.sub f64.mul f64.div f64.sqrt"],
  [
    4,
    "f32x4.add f32x4.sub f32x4.mul f32x4.div f32x4.sqrt f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.sqrt",
  ],
  [4, "f32.demote_f64 f64.promote_f32 f32x4.demote_f64x2_zero f64x2.promote_low_f32x4"],
  [2, "data.drop elem.drop"],
  [4, "table.get"],
  [12, "table.set"],
  // Each of these is a call into the engine.
  [30, "memory.copy memory.fill memory.init memory.grow table.copy table.fill table.init table.grow"],
  [1000, "throw rethrow throw_ref"],
];
for (const [cost, names] of WEIGHTS)
  for (const name of names.split(" ")) instructionCost[opcodeNumber(name)] = cost;
// The bytes before the numbers of others are no instructions.
instructionCost[MISC_PREFIX] = instructionCost[SIMD_PREFIX] = 0;

/** For each call of a function, whose calls an exception may end or not. */
export function entryCost({ locals }: FunctionBody, unwinds: boolean): number {
  let slots = 0;
  for (const { count, type } of locals) slots += type === ValueTypes.v128 ? 2 * count : count;
  return FUNCTION_ENTRY_COST + Math.floor(slots / LOCALS_PER_UNIT) + (unwinds ? UNWINDING_COST : 0);
}
