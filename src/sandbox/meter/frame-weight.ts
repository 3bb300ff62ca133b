import { MAX_STACK_UNITS, STACK_UNIT_BYTES } from "../meter-contract.js";

/** What an engine takes for a frame beside its values: addresses, saved registers, arguments of calls. */
const FRAME_BYTES = 96;
const VALUE_BYTES = 8;
const VECTOR_BYTES = 16;

/** A frame that calls nothing and is no larger than this needs no account: it fits into the reserve. */
const SMALL_FRAME_BYTES = 2048;

export interface FrameShape {
  /** parameters and locals, the meter's own included */
  readonly locals: number;
  /** the most values on the operand stack, the meter's own included */
  readonly height: number;
  readonly hasVectors: boolean;
  readonly makesCalls: boolean;
}

/**
 * The stack that a call of a function takes, in units: room for each local and each value on the operand
 * stack, which is what the simplest of compilers uses, and no compiler more.
 */
export function frameWeight({ locals, height, hasVectors, makesCalls }: FrameShape): number {
  const bytes = FRAME_BYTES + (locals + height) * (hasVectors ? VECTOR_BYTES : VALUE_BYTES);
  if (!makesCalls && bytes <= SMALL_FRAME_BYTES) return 0;
  return Math.min(Math.ceil(bytes / STACK_UNIT_BYTES), MAX_STACK_UNITS);
}
