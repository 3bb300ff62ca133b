import type { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { assemble, startBody } from "./assembler.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";

/** The engines' limit is 1000 each; one is needed for the fuel. Source: the WebAssembly JavaScript interface. */
const MAX_VALUES = 999;

/** A function that is appended to the module, `body` without its size. */
export interface AddedFunction {
  readonly typeIndex: number;
  readonly body: Writer;
}

/**
 * How each function gets and gives back the fuel. One that is called by its index is *passing*: the fuel is
 * its last parameter and its last result. Any other keeps the guest's type and works with the global; so it
 * can be given to the host, to tables, and to modules that are not known here. Where a passing function is
 * needed in that form too, there is a second function in front of it.
 */
export class Conventions {
  /** The functions in front of passing ones; they come first after the module's own functions. */
  readonly fronts: AddedFunction[] = [];
  private readonly passing: Uint8Array;
  private readonly frontIndices = new Map<number, number>();

  constructor(module: CoreModule, plan: ModulePlan, functions: readonly FunctionPlan[], fuelGlobal: number) {
    this.passing = new Uint8Array(module.functions.length);
    for (const [i, { makesTailCalls }] of functions.entries()) {
      const index = module.imported.func + i;
      const typeIndex = module.functions[index] as number;
      const type = module.types[typeIndex];
      const values = Math.max(type?.params.length ?? 0, type?.results.length ?? 0);
      // What a tail call leads to has the type of its caller, which it may not know.
      if (plan.called[index] !== 1 || makesTailCalls || values > MAX_VALUES) continue;
      this.passing[index] = 1;
      if (plan.referenced[index] !== 1) continue;
      this.frontIndices.set(index, module.functions.length + this.fronts.length);
      this.fronts.push({ typeIndex, body: frontBody(index, type?.params.length ?? 0, fuelGlobal) });
    }
  }

  isPassing(index: number): boolean {
    return this.passing[index] === 1;
  }

  /** The index of the function with the guest's type. */
  front(index: number): number {
    return this.frontIndices.get(index) ?? index;
  }
}

function frontBody(index: number, parameterCount: number, fuelGlobal: number): Writer {
  const body = startBody();
  for (let i = 0; i < parameterCount; i++) assemble(body, "local.get", i);
  assemble(body, "global.get", fuelGlobal);
  assemble(body, "call", index);
  assemble(body, "global.set", fuelGlobal);
  assemble(body, "end");
  return body;
}
