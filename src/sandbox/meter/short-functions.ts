import type { CoreModule } from "../binary/core-module.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";

/** What a function costs at most, with all that it calls, to need no test of the fuel at its entry. */
const SHORT_FUEL = 300;
/** How deep its calls are nested at most. */
const SHORT_DEPTH = 3;

const SHORT = 1;
const LONG = 2;
const BEGUN = 3;

/**
 * The functions that are over soon, as 1 by index: what they cost when all of their code is executed once is
 * little, and they call only such functions. Loops test the fuel in each turn by themselves, and so do the helpers.
 */
export function shortFunctions(
  { functions, imported }: CoreModule,
  { calls }: ModulePlan,
  plans: readonly FunctionPlan[],
): Uint8Array {
  const state = new Uint8Array(functions.length);
  const costs = new Float64Array(functions.length);
  const visit = (index: number, depth: number): boolean => {
    const plan = plans[index - imported.func];
    if (state[index] !== 0 || plan === undefined) return state[index] === SHORT;
    if (depth === SHORT_DEPTH) return false;
    state[index] = BEGUN;
    let cost = plan.callsUnknown ? Number.POSITIVE_INFINITY : plan.totalCost;
    for (let call = plan.firstCall; call < plan.endCall && cost <= SHORT_FUEL; call++) {
      const target = calls.target(call);
      cost += visit(target, depth + 1) ? (costs[target] as number) : Number.POSITIVE_INFINITY;
    }
    costs[index] = cost;
    state[index] = cost <= SHORT_FUEL ? SHORT : LONG;
    return state[index] === SHORT;
  };
  for (let i = 0; i < plans.length; i++) visit(imported.func + i, 0);
  return state.map((found) => (found === SHORT ? 1 : 0));
}
