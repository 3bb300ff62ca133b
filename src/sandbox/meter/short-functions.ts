import type { CoreModule } from "../binary/core-module.js";
import { Events } from "./events.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";

/** What a function costs at most, with all that it calls, to need no test of the fuel at its entry. */
const SHORT_FUEL = 300;
/** How deep its calls are nested at most, to need no account of the stack. */
const SHORT_DEPTH = 3;

const SHORT = 1;
const LONG = 2;
const BEGUN = 3;

/**
 * The functions that are over soon, as 1 by index: what they cost when all of their code is executed once is
 * little, and they call only such functions. (Loops test the fuel in each turn by themselves.)
 */
export function shortFunctions(
  module: CoreModule,
  plan: ModulePlan,
  functions: readonly FunctionPlan[],
): Uint8Array {
  const { func: first } = module.imported;
  const state = new Uint8Array(module.functions.length);
  const units = new Float64Array(module.functions.length);
  const visit = (index: number, depth: number): boolean => {
    const function_ = functions[index - first];
    if (state[index] !== 0 || function_ === undefined) return state[index] === SHORT;
    if (depth === SHORT_DEPTH) return false;
    state[index] = BEGUN;
    const cost = costOf(plan, function_, (target) =>
      visit(target, depth + 1) ? (units[target] as number) : Infinity,
    );
    units[index] = cost;
    state[index] = cost <= SHORT_FUEL ? SHORT : LONG;
    return state[index] === SHORT;
  };
  for (let i = 0; i < functions.length; i++) visit(first + i, 0);
  return state.map((found) => (found === SHORT ? 1 : 0));
}

function costOf({ events }: ModulePlan, plan: FunctionPlan, costOfCall: (target: number) => number): number {
  let cost = plan.totalCost;
  if (!plan.makesCalls) return cost;
  for (let event = plan.firstEvent; event < plan.endEvent && cost <= SHORT_FUEL; event++) {
    switch (events.kind(event)) {
      case Events.call:
        cost += costOfCall(events.operand(event));
        break;
      case Events.callOut:
      case Events.callIndirect:
      case Events.returnCall:
      case Events.returnCallIndirect:
      case Events.helped:
      // A call in a loop comes many times.
      case Events.loop:
        return Infinity;
    }
  }
  return cost;
}
