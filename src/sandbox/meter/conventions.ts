import type { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import type { AddedTypes } from "./added-types.js";
import { assemble, startBody } from "./assembler.js";
import { fillsPrivateTable, functionsIn, functionsOutside, privateTables } from "./function-references.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";
import { shortFunctions } from "./short-functions.js";

/** The engines' limit is 1000 each; one is needed for the fuel. Source: the WebAssembly JavaScript interface. */
const MAX_VALUES = 999;

/** A function that is appended to the module, `body` without its size. */
export interface AddedFunction {
  readonly typeIndex: number;
  readonly body: Writer;
}

/**
 * How each function gets and gives back the fuel. One that is called by its index, or through a table that is
 * private to the module, is *passing*: the fuel is its last parameter and its last result. Any other keeps the
 * guest's type and works with the global; so it can be given to the host, and to modules that are not known
 * here. Where a function is needed in the other form too, a second function stands for it.
 */
export class Conventions {
  /** The functions that stand for others; they come first after the module's own. */
  readonly added: AddedFunction[] = [];
  /** By table: whether it holds passing functions. */
  readonly isPrivate: readonly boolean[];
  private readonly module: CoreModule;
  private readonly types: AddedTypes;
  private readonly fuelGlobal: number;
  private readonly passing: Uint8Array;
  private readonly checked: Uint8Array;
  private readonly short: Uint8Array;
  private readonly fronts = new Map<number, number>();
  private readonly backs = new Map<number, number>();

  constructor(
    module: CoreModule,
    plan: ModulePlan,
    functions: readonly FunctionPlan[],
    types: AddedTypes,
    fuelGlobal: number,
  ) {
    this.module = module;
    this.types = types;
    this.fuelGlobal = fuelGlobal;
    this.passing = new Uint8Array(module.functions.length);
    this.checked = new Uint8Array(module.functions.length);
    const canPass = module.types.every(({ params, results }) => {
      return params.length <= MAX_VALUES && results.length <= MAX_VALUES;
    });
    this.isPrivate = canPass ? privateTables(module, plan.usedTables) : [];

    const tabled = new Set<number>();
    for (const index of functionsOutside(module)) plan.noteReference(index);
    for (const segment of module.elements) {
      const isOfPrivate = fillsPrivateTable(segment, this.isPrivate);
      for (const index of functionsIn(module, segment)) {
        if (isOfPrivate) tabled.add(index);
        else plan.noteReference(index);
      }
    }
    this.short = shortFunctions(module, plan, functions);
    for (const [i, { makesTailCalls }] of functions.entries()) {
      const index = module.imported.func + i;
      // What a tail call leads to has the type of its caller, which it may not know.
      const isPassing = canPass && !makesTailCalls && (plan.called[index] === 1 || tabled.has(index));
      if (isPassing) this.passing[index] = 1;
      if (!this.isShort(index) || !isPassing || plan.referenced[index] === 1) this.checked[index] = 1;
      if (isPassing && plan.referenced[index] === 1) this.addFront(index);
    }
    for (const index of tabled) if (this.passing[index] !== 1) this.addBack(index);
  }

  isPassing(index: number): boolean {
    return this.passing[index] === 1;
  }

  /** Whether the function tests the fuel before anything else. */
  isChecked(index: number): boolean {
    return this.checked[index] === 1;
  }

  /** Whether the function, with all that it calls, is over soon enough to need no test. */
  isShort(index: number): boolean {
    return this.short[index] === 1;
  }

  /** The index of the function that stands for this one with the guest's type. */
  front(index: number): number {
    return this.fronts.get(index) ?? index;
  }

  /** The index of the passing function that stands for this one, which a private table holds. */
  back(index: number): number {
    return this.backs.get(index) ?? index;
  }

  private addFront(index: number): void {
    const typeIndex = this.module.functions[index] ?? 0;
    const body = startBody();
    this.pushParameters(typeIndex, body);
    assemble(body, "global.get", this.fuelGlobal);
    assemble(body, "call", index);
    assemble(body, "global.set", this.fuelGlobal);
    assemble(body, "end");
    this.fronts.set(index, this.module.functions.length + this.added.length);
    this.added.push({ typeIndex, body });
  }

  private addBack(index: number): void {
    const typeIndex = this.module.functions[index] ?? 0;
    const body = startBody();
    const fuel = this.pushParameters(typeIndex, body);
    assemble(body, "local.get", fuel);
    assemble(body, "global.set", this.fuelGlobal);
    assemble(body, "call", index);
    assemble(body, "global.get", this.fuelGlobal);
    assemble(body, "end");
    this.backs.set(index, this.module.functions.length + this.added.length);
    this.added.push({ typeIndex: this.types.passingFuel(typeIndex), body });
  }

  /** Returns how many there are. */
  private pushParameters(typeIndex: number, body: Writer): number {
    const count = this.module.types[typeIndex]?.params.length ?? 0;
    for (let i = 0; i < count; i++) assemble(body, "local.get", i);
    return count;
  }
}
