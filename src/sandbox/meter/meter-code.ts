import { Writer } from "../binary/bytes.js";
import { AddedTypes } from "./added-types.js";
import { BodyWriter } from "./body-writer.js";
import { CodeScanner } from "./code-scanner.js";
import { type AddedFunction, Conventions } from "./conventions.js";
import { frameUnits } from "./frame-units.js";
import { HelperFunctions } from "./helper-functions.js";
import { ModulePlan } from "./module-plan.js";
import { StackAccounts } from "./stack-accounts.js";
import type { MeterCode } from "./write-module.js";

/** The metered code of a module. */
export interface MeteredCode {
  readonly types: AddedTypes;
  readonly conventions: Conventions;
  /** The functions that come after the module's own. */
  readonly addedFunctions: readonly AddedFunction[];
  /** The bodies of all functions, each with its size. */
  readonly bodies: Writer;
}

/**
 * Meters all functions of a module. Their fuel is a local in each; it is handed from caller to callee and back
 * by value (see `Conventions`), and left in the global wherever control goes to code that is not known here.
 *
 * What is charged for a run is what it executes; see `ChargePlacer` for where. The fuel is tested at the
 * entry of each function that does more than a little, and in each turn of a loop, before what comes next.
 */
export const meterCode: MeterCode = (module, globals, shiftGlobal, unwinds) => {
  const types = new AddedTypes(module);
  const helpers = new HelperFunctions(module, globals, types);
  const plan = new ModulePlan(module, helpers);
  const scanner = new CodeScanner(module, plan, unwinds);
  const parametersOf = (index: number) => module.types[module.functions[index] ?? 0]?.params ?? [];
  const { func: firstIndex } = module.imported;
  const functions = module.bodies.map((body, i) => scanner.scan(body, parametersOf(firstIndex + i)));

  const conventions = new Conventions(module, plan, functions, types, globals.fuel);
  helpers.firstIndex = module.functions.length + conventions.added.length;
  const accounts = new StackAccounts(firstIndex, plan, functions, (index, function_) =>
    frameUnits(module, index, function_),
  );
  const context = { module, globals, helpers, types, shiftGlobal };
  const writer = new BodyWriter(context, plan, conventions, accounts);
  const bodies = new Writer(module.bytes.length * 2);
  const out = new Writer(4096);
  for (const [i, body] of module.bodies.entries()) {
    const function_ = functions[i];
    if (!function_) continue;
    writer.write(firstIndex + i, body, function_, out);
    bodies.u32(out.length);
    bodies.append(out);
    out.clear();
  }
  const addedFunctions = [...conventions.added, ...helpers.all];
  for (const { body } of addedFunctions) {
    bodies.u32(body.length);
    bodies.append(body);
  }
  return { types, conventions, bodies, addedFunctions };
};
