import { opcodeNumber } from "#src/sandbox/binary/opcodes";
import type { Costs } from "./interpreter/costs.js";

const FREE = new Set("nop drop block loop end else return unreachable".split(" ").map(opcodeNumber));

/**
 * What Wasmtime takes, as far as it differs from our table; its wheel has no setting for its own. Found with
 * single instructions on Wasmtime 50:
 * - `try_table` costs 1. With us it is free as all that opens a block.
 * - Locals cost nothing. With us they cost something from the fourth on.
 * - A page that a memory grows by costs 1. With us it costs what its first touch will take.
 * - A growth that fails is charged for what was asked for, unless that is far over any limit. With us it is free.
 */
export const wasmtimeCosts: Costs = {
  instruction: (opcode) => (FREE.has(opcode) ? 0 : 1),
  functionEntry: 1,
  localsPerUnit: Number.POSITIVE_INFINITY,
  unwinding: 0,
  byte: 1,
  element: 1,
  page: 1,
  growth: 0,
  failedGrowth: 1000,
};

/** Wasmtime instantiates by a function of its own: its entry, and its call of the start function. */
export const INSTANTIATION_COST = 1;
export const START_CALL_COST = 1;
