import type { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import type { ValueType } from "../binary/core-types.js";
import { opcodeName } from "../binary/opcodes.js";
import { bulkHelper } from "./bulk-helper.js";
import { growHelper } from "./grow-helper.js";

/** Indices of the meter's globals in the metered module. */
export interface MeterIndices {
  readonly fuel: number;
  readonly pages: number;
  readonly elements: number;
  readonly refused: number;
}

/** What a helper function is for: an instruction with its immediates as `InstructionReader` has them. */
export interface Helped {
  readonly opcode: number;
  readonly name: string;
  readonly first: number;
  readonly second: number;
}

/** A function to append; `body` has its locals and its code, without its size. */
export interface HelperFunction {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly body: Writer;
}

const GROW = new Set(["memory.grow", "table.grow"]);

/**
 * The functions that stand in for the instructions whose cost or success depends on their operands. Each is
 * appended after the module's own functions when it is first asked for, so that no index shifts.
 */
export class HelperFunctions {
  readonly all: HelperFunction[] = [];
  private readonly indexByKey = new Map<string, number>();
  private readonly module: CoreModule;
  private readonly globals: MeterIndices;

  constructor(module: CoreModule, globals: MeterIndices) {
    this.module = module;
    this.globals = globals;
  }

  /** The index of the function that stands in for an instruction. */
  indexFor(opcode: number, first: number, second: number): number {
    const key = `${opcode} ${first} ${second}`;
    const known = this.indexByKey.get(key);
    if (known !== undefined) return known;
    const index = this.module.functions.length + this.all.length;
    const helped = { opcode, name: opcodeName(opcode), first, second };
    const make = GROW.has(helped.name) ? growHelper : bulkHelper;
    this.all.push(make(this.module, this.globals, helped));
    this.indexByKey.set(key, index);
    return index;
  }
}
