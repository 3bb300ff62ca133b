import type { CoreModule } from "../binary/core-module.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { CallList } from "./call-list.js";
import { EventList } from "./events.js";
import type { HelperFunctions } from "./helper-functions.js";
import { PatchList } from "./patches.js";

/** What was found out about one function that the module defines. */
export interface FunctionPlan {
  /** Its events, as a range of the module's. */
  readonly firstEvent: number;
  readonly endEvent: number;
  /** Its calls of functions of the module's own, as a range of the module's. */
  readonly firstCall: number;
  readonly endCall: number;
  /** The event of its first charge. */
  readonly entryEvent: number;
  /** The event that may pay that charge instead; -1 if none. */
  readonly entryUse: number;
  /** What all of its code costs, each instruction executed once. */
  readonly totalCost: number;
  /** The most values that stand on its operand stack. */
  readonly maxHeight: number;
  readonly usesVectors: boolean;
  /** The shapes of which results may be made canonical, as bits. */
  readonly nanShapes: number;
  readonly makesTailCalls: boolean;
  /** It calls the host, or through a table, or in the place of its caller. */
  readonly callsUnknown: boolean;
  readonly callsIndirectly: boolean;
  readonly catches: boolean;
  /** A branch leads to its end. */
  readonly isEndBranchedTo: boolean;
  /** A clause of a `try_table` leads to its end. */
  readonly isEndCaught: boolean;
}

const HELPED = new Set(
  "memory.grow memory.copy memory.fill memory.init table.grow table.copy table.fill table.init"
    .split(" ")
    .map(opcodeNumber),
);

/** What the scanner finds out about the functions of one module. */
export class ModulePlan {
  readonly events = new EventList();
  readonly patches = new PatchList();
  /** The functions of the module's own that are called, of all functions in the order of the code. */
  readonly calls = new CallList();
  /** Functions that others call by their index. */
  readonly called: Uint8Array;
  /** Functions that are known outside of such calls: to the host, to other modules, to tail calls. */
  readonly referenced: Uint8Array;
  /** Tables that instructions other than `call_indirect` work with. */
  readonly usedTables: Uint8Array;
  private readonly helpers: HelperFunctions;

  constructor({ functions, tables }: CoreModule, helpers: HelperFunctions) {
    this.called = new Uint8Array(functions.length);
    this.referenced = new Uint8Array(functions.length);
    this.usedTables = new Uint8Array(tables.length);
    this.helpers = helpers;
  }

  noteCall(target: number): void {
    this.called[target] = 1;
    this.calls.push(target);
  }

  noteReference(target: number): void {
    this.referenced[target] = 1;
  }

  noteTableUse(table: number): void {
    this.usedTables[table] = 1;
  }

  isHelped(opcode: number): boolean {
    return HELPED.has(opcode);
  }

  /** The number of the helper function that stands in for an instruction. */
  helper(opcode: number, first: number, second: number): number {
    return this.helpers.numberFor(opcode, first, second);
  }
}
