import {
  BYTE_COST,
  ELEMENT_COST,
  FUNCTION_ENTRY_COST,
  instructionCost,
  PAGE_COST,
} from "#src/sandbox/meter/cost-table";

/** What executing costs. */
export interface Costs {
  readonly instruction: (opcode: number) => number;
  readonly functionEntry: number;
  readonly byte: number;
  readonly element: number;
  readonly page: number;
  /** A growth that fails costs as one that succeeds if it is of no more pages or elements than this. */
  readonly failedGrowth: number;
}

/** The published table. */
export const publishedCosts: Costs = {
  instruction: (opcode) => instructionCost[opcode] ?? 0,
  functionEntry: FUNCTION_ENTRY_COST,
  byte: BYTE_COST,
  element: ELEMENT_COST,
  page: PAGE_COST,
  failedGrowth: 0,
};
