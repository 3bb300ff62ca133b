import { WasmhookError } from "../../errors.js";
import { Reader, type Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import type { FunctionType } from "../binary/core-types.js";
import { opcodeName } from "../binary/opcodes.js";
import type { AddedTypes } from "./added-types.js";
import { bulkHelper } from "./bulk-helper.js";
import type { AddedFunction } from "./conventions.js";
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

const GROW = new Set(["memory.grow", "table.grow"]);
const TWO_INDICES = /\.(copy|init)$/;

/** Far more kinds of bulk operation than any toolchain writes; each takes some hundred bytes of code. */
const MAX_HELPERS = 1000;

/**
 * The functions that stand in for the instructions whose cost or success depends on their operands: each is
 * made when it is first asked for. Beside the operands they are handed the fuel, and hand it back.
 */
export class HelperFunctions {
  readonly all: AddedFunction[] = [];
  /** The index of the first of them in the metered module. */
  firstIndex = 0;
  private readonly helped: Helped[] = [];
  private readonly numberByKey = new Map<string, number>();
  private readonly module: CoreModule;
  private readonly globals: MeterIndices;
  private readonly types: AddedTypes;

  constructor(module: CoreModule, globals: MeterIndices, types: AddedTypes) {
    this.module = module;
    this.globals = globals;
    this.types = types;
  }

  /** The number of the function that stands in for an instruction. */
  numberFor(opcode: number, first: number, second: number): number {
    const key = `${opcode} ${first} ${second}`;
    const known = this.numberByKey.get(key);
    if (known !== undefined) return known;
    if (this.all.length === MAX_HELPERS) {
      const message = `The module has over ${MAX_HELPERS} pairs of segments, memories and tables in its bulk operations; build it with fewer segments.`;
      throw new WasmhookError("module-refused", message, { limit: "bulkOperations" });
    }
    const number = this.all.length;
    const helped = { opcode, name: opcodeName(opcode), first, second };
    const make = GROW.has(helped.name) ? growHelper : bulkHelper;
    const { type, body } = make(this.module, this.globals, helped);
    this.all.push({ typeIndex: this.types.index(type), body });
    this.helped.push(helped);
    this.numberByKey.set(key, number);
    return number;
  }

  index(number: number): number {
    return this.firstIndex + number;
  }

  /** The offset after the instruction at `start` that a helper stands in for. */
  afterInstruction(number: number, start: number): number {
    const { opcode = 0, name = "" } = this.helped[number] ?? {};
    const reader = new Reader(this.module.bytes, start + 1);
    if (opcode > 0xff) reader.u32();
    reader.u32();
    if (TWO_INDICES.test(name)) reader.u32();
    return reader.position;
  }
}
