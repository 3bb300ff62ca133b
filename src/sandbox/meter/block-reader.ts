import { Reader } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { CatchTargets } from "./catch-targets.js";
import { ChargePlacer } from "./charge-placer.js";
import type { ModulePlan } from "./module-plan.js";
import { OpenBlocks } from "./open-blocks.js";

/** The type of a block without parameters and results, as a number. */
const NO_RESULT = -0x40;

/**
 * A place in the code of a function: offset, height of the operand stack, open blocks. Reads the common
 * immediates by itself; the others, and whatever is wrong, it leaves to the general reader, which words the error.
 */
export class BlockReader {
  position = 0;
  /** Values on the operand stack, and the most that there were. Behind an unconditional branch it may be any number. */
  height = 0;
  maxHeight = 0;
  readonly placer: ChargePlacer;
  readonly catchTargets: CatchTargets;
  protected readonly module: CoreModule;
  protected readonly instructions: InstructionReader;
  protected readonly blocks = new OpenBlocks();
  protected codeEnd = 0;
  private localCount = 0;

  constructor(module: CoreModule, plan: ModulePlan) {
    this.module = module;
    this.placer = new ChargePlacer(plan.events);
    this.catchTargets = new CatchTargets(plan.events);
    this.instructions = new InstructionReader(module);
  }

  protected startAt(start: number, codeEnd: number, localCount: number): void {
    this.position = start;
    this.codeEnd = codeEnd;
    this.localCount = localCount;
    this.height = this.maxHeight = 0;
    this.blocks.enter();
  }

  /** Reads the instruction with the general reader, which throws where something is wrong with it. */
  refuse(start: number): void {
    this.instructions.readAt(start, this.codeEnd, this.localCount, this.placer.depth);
    this.position = this.instructions.end;
  }

  /** Reads a vector instruction, and returns its number. */
  vector(start: number): number {
    this.refuse(start);
    return this.instructions.opcode;
  }

  /** An index of the instruction at `start`, at the current position. */
  index(size: number, start: number): number {
    const { bytes } = this.module;
    let index = bytes[this.position++] as number;
    if (index >= 0x80 && (bytes[this.position] as number) < 0x80) {
      index = (index & 0x7f) | ((bytes[this.position++] as number) << 7);
    } else if (index >= 0x80) {
      const reader = new Reader(bytes, this.position - 1, this.codeEnd, "an instruction", true);
      index = reader.u32();
      this.position = reader.position;
    }
    if (!(index < size)) this.refuse(start);
    return index;
  }

  protected label(start: number): number {
    return this.index(this.placer.depth, start);
  }

  protected openBlock(start: number, kind: number): void {
    this.blockType(start, kind);
    this.catchTargets.open();
  }

  protected blockType(start: number, kind: number): void {
    const { bytes } = this.module;
    const first = bytes[this.position] as number;
    if (first === 0x40) {
      this.position++;
      this.blocks.open(kind, this.height, 0, 0);
      return;
    }
    this.refuse(start);
    this.openTyped(kind);
  }

  /** Opens a block of the type that the general reader has read. */
  protected openTyped(kind: number): void {
    const { first } = this.instructions;
    const type = this.module.types[first];
    const params = type?.params.length ?? 0;
    // One of the specification's short forms: a single result, or none.
    const results = type?.results.length ?? (first === NO_RESULT ? 0 : 1);
    this.blocks.open(kind, this.height, params, results);
  }
}
