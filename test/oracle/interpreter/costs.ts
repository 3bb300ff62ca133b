import {
  BYTE_COST,
  ELEMENT_COST,
  FUNCTION_ENTRY_COST,
  GROWTH_COST,
  instructionCost,
  LOCALS_PER_UNIT,
  PAGE_COST,
  UNWINDING_COST,
} from "#src/sandbox/meter/cost-table";

/** What executing costs. */
export interface Costs {
  readonly instruction: (opcode: number) => number;
  readonly functionEntry: number;
  /** At the entry too: how many locals beside the parameters, a vector as two, one unit sets to zero. */
  readonly localsPerUnit: number;
  /** On top of that in a module with tags. */
  readonly unwinding: number;
  readonly byte: number;
  readonly element: number;
  readonly page: number;
  /** Of a memory by a page or more. */
  readonly growth: number;
  /** A growth that fails costs as one that succeeds if it is of no more pages or elements than this. */
  readonly failedGrowth: number;
}

/** The published table. */
export const publishedCosts: Costs = {
  instruction: (opcode) => instructionCost[opcode] ?? 0,
  functionEntry: FUNCTION_ENTRY_COST,
  localsPerUnit: LOCALS_PER_UNIT,
  unwinding: UNWINDING_COST,
  byte: BYTE_COST,
  element: ELEMENT_COST,
  page: PAGE_COST,
  growth: GROWTH_COST,
  failedGrowth: 0,
};
