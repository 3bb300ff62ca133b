import type { CoreModule } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { STACK_UNIT_BYTES } from "../meter-contract.js";
import type { FunctionPlan } from "./module-plan.js";
import { nanLocals } from "./nan-code.js";

/** What an engine takes for a frame beside its values: addresses, saved registers, arguments of calls. */
const FRAME_BYTES = 96;
const VALUE_BYTES = 8;
const VECTOR_BYTES = 16;

/** Locals and values on the operand stack that are the meter's own, beside the locals for NaNs and for catching. */
const OWN_VALUES = 4;

/**
 * The stack that a call of a function takes, in units: room for each local and each value on the operand
 * stack, which is what the simplest of compilers uses, and no compiler more.
 */
export function frameUnits(
  { types, functions, bodies, imported }: CoreModule,
  index: number,
  { maxHeight, nanShapes, catches, usesVectors }: FunctionPlan,
): number {
  const params = types[functions[index] ?? 0]?.params ?? [];
  const { localCount = 0, locals = [] } = bodies[index - imported.func] ?? {};
  const hasVectors =
    usesVectors || params.includes(ValueTypes.v128) || locals.some(({ type }) => type === ValueTypes.v128);
  const own = OWN_VALUES + nanLocals(nanShapes).length + (catches ? 1 : 0);
  const values = params.length + localCount + maxHeight + own;
  return Math.ceil((FRAME_BYTES + values * (hasVectors ? VECTOR_BYTES : VALUE_BYTES)) / STACK_UNIT_BYTES);
}
