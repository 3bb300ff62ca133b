import { WasmhookError } from "../../errors.js";
import type { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import type { FunctionType } from "../binary/core-types.js";
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

/** What stands in for an instruction; `body` has its locals and its code, without its size. */
export interface Helper {
  readonly type: FunctionType;
  readonly body: Writer;
}

/** A function to append to the module. */
export interface HelperFunction {
  readonly typeIndex: number;
  readonly body: Writer;
}

const GROW = new Set(["memory.grow", "table.grow"]);

/** Far more kinds of bulk operation than any toolchain writes; each takes some hundred bytes of code. */
const MAX_HELPERS = 1000;

/**
 * The functions that stand in for the instructions whose cost or success depends on their operands. Each is
 * appended after the module's own functions when it is first asked for, so that no index shifts.
 */
export class HelperFunctions {
  readonly all: HelperFunction[] = [];
  /** The types of `all`, each once; they come after the module's own types. */
  readonly types: FunctionType[] = [];
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
    if (this.all.length === MAX_HELPERS) {
      const message = `The module has over ${MAX_HELPERS} pairs of segments, memories and tables in its bulk operations; build it with fewer segments.`;
      throw new WasmhookError("module-refused", message, { limit: "bulkOperations" });
    }
    const index = this.module.functions.length + this.all.length;
    const helped = { opcode, name: opcodeName(opcode), first, second };
    const make = GROW.has(helped.name) ? growHelper : bulkHelper;
    const { type, body } = make(this.module, this.globals, helped);
    this.all.push({ typeIndex: this.typeIndex(type), body });
    this.indexByKey.set(key, index);
    return index;
  }

  private typeIndex(type: FunctionType): number {
    const same = (other: FunctionType) =>
      `${other.params} ${other.results}` === `${type.params} ${type.results}`;
    const known = this.types.findIndex(same);
    if (known >= 0) return this.module.types.length + known;
    return this.module.types.length + this.types.push(type) - 1;
  }
}
