import { Reader } from "./bytes.js";
import { isValueType, readReferenceType, readValueTypes, valueTypeRefused } from "./core-types.js";
import type { InstructionContext } from "./instruction-context.js";
import { featureOf, Immediates, immediatesOf, MISC_PREFIX, opcodeName, SIMD_PREFIX } from "./opcodes.js";
import { featureRefused, malformed } from "./refusal.js";

export const BLOCK = 0x02;
export const LOOP = 0x03;
export const IF = 0x04;
export const ELSE = 0x05;
export const TRY = 0x06;
export const CATCH = 0x07;
export const END = 0x0b;
export const DELEGATE = 0x18;
export const CATCH_ALL = 0x19;
export const TRY_TABLE = 0x1f;
/** The frame of the function or the constant expression itself. */
const BODY = 0xff;

/**
 * Decodes one expression (a function's code or a constant expression), instruction by instruction, without
 * allocating: each `next()` overwrites the fields. Checks that every index names something, that labels are
 * in reach, and that blocks nest. Types and stack heights are left to the engine's own validation.
 *
 * One reader may be used for many expressions of a module: call `enter` for each.
 */
export class InstructionReader {
  /** Number of the last instruction in the opcode table. */
  opcode = 0;
  /** Its bytes are `[start, end)`; its immediates are `[immediates, end)`. */
  start = 0;
  immediates = 0;
  end = 0;
  /**
   * First immediate: an index, a label, an i32, or a block type (a type index; negative for the
   * specification's one-byte forms). For a memarg, the memory's index. For `br_table`, the number of labels
   * without the default; for `try_table`, the block type.
   */
  first = 0;
  /** Second immediate: of `call_indirect` the table, of `*.copy` the source, of `*.init` the memory or table. */
  second = 0;
  /** Open frames after the instruction, the function's own included: 0 after the last `end`. */
  depth = 0;
  private readonly context: InstructionContext;
  private readonly reader: Reader;
  private frames = new Uint8Array(64);
  private localCount = 0;

  constructor(context: InstructionContext) {
    this.context = context;
    this.reader = new Reader(context.bytes, 0, context.bytes.length, "an expression", true);
  }

  /** Starts at `start`; nothing at or after `limit` is read. `localCount` includes the parameters. */
  enter(start: number, limit: number, localCount: number): void {
    this.reader.position = start;
    this.reader.end = limit;
    this.localCount = localCount;
    this.start = this.end = start;
    this.depth = 0;
    this.push(BODY);
  }

  /** Reads the next instruction. False when the expression's own `end` has been read. */
  next(): boolean {
    if (this.depth === 0) return false;
    this.read();
    if (this.opcode < 0x20) this.nest(this.opcode);
    this.end = this.reader.position;
    return true;
  }

  /** Reads the one instruction at `start` as `next` would with `depth` frames open, but opens and closes none. */
  readAt(start: number, limit: number, localCount: number, depth: number): void {
    this.enter(start, limit, localCount);
    this.depth = depth;
    this.read();
    this.end = this.reader.position;
  }

  /** The kind of the frame that is `label` frames out: BLOCK, LOOP, IF, ELSE, TRY, CATCH, CATCH_ALL, TRY_TABLE. */
  frame(label: number): number {
    return this.frames[this.depth - 1 - label] ?? BODY;
  }

  private read(): void {
    const reader = this.reader;
    this.start = reader.position;
    let opcode = reader.byte();
    if (opcode >= MISC_PREFIX && (opcode === MISC_PREFIX || opcode === SIMD_PREFIX)) {
      const sub = reader.u32();
      if (sub > 0xff) throw featureRefused(this.start, featureOf(opcode, sub));
      opcode = (opcode << 8) | sub;
    }
    this.opcode = opcode;
    this.immediates = reader.position;
    this.readImmediates(opcode);
  }

  private readImmediates(opcode: number): void {
    const { reader, context } = this;
    switch (immediatesOf[opcode]) {
      case Immediates.none:
        return;
      case Immediates.local:
        this.first = this.index(this.localCount, "local");
        return;
      case Immediates.i32:
        this.first = reader.s32();
        return;
      case Immediates.memarg:
        this.memarg();
        return;
      case Immediates.label:
        this.first = this.index(opcode === DELEGATE ? this.depth - 1 : this.depth, "label");
        return;
      case Immediates.block:
        this.blockType();
        return;
      case Immediates.func:
        this.first = this.index(context.functions.length, "function");
        return;
      case Immediates.global:
        this.first = this.index(context.globals.length, "global");
        return;
      case Immediates.i64:
        reader.skipS64();
        return;
      case Immediates.typeTable:
        this.first = this.index(context.types.length, "type");
        this.second = this.index(context.tables.length, "table");
        return;
      case Immediates.labels:
        this.first = reader.u32();
        for (let i = 0; i <= this.first; i++) this.index(this.depth, "label");
        return;
      case Immediates.f32:
        reader.skip(4);
        return;
      case Immediates.f64:
        reader.skip(8);
        return;
      case Immediates.bytes16:
        reader.skip(16);
        return;
      case Immediates.lane:
        reader.byte();
        return;
      case Immediates.memargLane:
        this.memarg();
        reader.byte();
        return;
      case Immediates.types:
        readValueTypes(reader);
        return;
      case Immediates.heapType:
        this.heapType();
        return;
      case Immediates.tryTable:
        this.blockType();
        this.catchClauses();
        return;
      default:
        this.readRareIndices(opcode);
        return;
    }
  }

  private readRareIndices(opcode: number): void {
    const { tables, memories, tags, elements, dataCount } = this.context;
    switch (immediatesOf[opcode]) {
      case Immediates.tag:
        this.first = this.index(tags.length, "tag");
        return;
      case Immediates.table:
        this.first = this.index(tables.length, "table");
        return;
      case Immediates.tables:
        this.first = this.index(tables.length, "table");
        this.second = this.index(tables.length, "table");
        return;
      case Immediates.elemTable:
        this.first = this.index(elements.length, "element segment");
        this.second = this.index(tables.length, "table");
        return;
      case Immediates.elem:
        this.first = this.index(elements.length, "element segment");
        return;
      case Immediates.memory:
        this.first = this.index(memories.length, "memory");
        return;
      case Immediates.memories:
        this.first = this.index(memories.length, "memory");
        this.second = this.index(memories.length, "memory");
        return;
      case Immediates.dataMemory:
        this.first = this.index(dataCount ?? 0, "declared data segment");
        this.second = this.index(memories.length, "memory");
        return;
      case Immediates.data:
        this.first = this.index(dataCount ?? 0, "declared data segment");
        return;
      default:
        throw featureRefused(
          this.start,
          opcode > 0xff ? featureOf(opcode >>> 8, opcode & 0xff) : featureOf(opcode),
        );
    }
  }

  private index(size: number, what: string): number {
    const value = this.reader.u32();
    if (value >= size)
      throw malformed(this.start, `${opcodeName(this.opcode)} names ${what} ${value}, which is not there`);
    return value;
  }

  private blockType(): void {
    const offset = this.reader.position;
    const type = this.reader.s33();
    if (type >= 0) {
      if (type >= this.context.types.length) throw malformed(offset, `there is no type ${type}`);
    } else if (type !== -0x40 && !isValueType(type + 0x80)) {
      throw valueTypeRefused(type + 0x80, offset);
    }
    this.first = type;
  }

  private heapType(): void {
    const next = this.reader.bytes[this.reader.position] ?? 0;
    if (next < 0x40 || next >= 0x80) throw featureRefused(this.start, "typed function references");
    this.first = readReferenceType(this.reader) - 0x80;
  }

  private memarg(): void {
    const offset = this.reader.position;
    const flags = this.reader.u32();
    if (flags >= 0x80) throw malformed(offset, `an alignment of 2^${flags} is impossible`);
    this.first = flags & 0x40 ? this.reader.u32() : 0;
    if (this.first >= this.context.memories.length)
      throw malformed(offset, `there is no memory ${this.first}`);
    this.reader.u32();
  }

  /** `catch`, `catch_ref`, `catch_all`, `catch_all_ref`; their labels are those outside of the `try_table`. */
  private catchClauses(): void {
    for (let count = this.reader.u32(); count > 0; count--) {
      const offset = this.reader.position;
      const kind = this.reader.byte();
      if (kind > 3) throw malformed(offset, `${kind} is not a kind of catch clause`);
      if (kind < 2) this.index(this.context.tags.length, "tag");
      this.index(this.depth, "label");
    }
  }

  private nest(opcode: number): void {
    switch (opcode) {
      case BLOCK:
      case LOOP:
      case IF:
      case TRY:
      case TRY_TABLE:
        this.push(opcode);
        return;
      case ELSE:
        this.replace(opcode, IF, IF);
        return;
      case CATCH:
      case CATCH_ALL:
        this.replace(opcode, TRY, CATCH);
        return;
      case DELEGATE:
        this.replace(opcode, TRY, TRY);
        this.depth--;
        return;
      case END:
        this.depth--;
    }
  }

  private push(frame: number): void {
    if (this.depth === this.frames.length) {
      const grown = new Uint8Array(this.frames.length * 2);
      grown.set(this.frames);
      this.frames = grown;
    }
    this.frames[this.depth++] = frame;
  }

  private replace(frame: number, expected: number, orExpected: number): void {
    const open = this.frame(0);
    if (open !== expected && open !== orExpected) {
      throw malformed(this.start, `${opcodeName(frame)} stands outside of the block that it belongs to`);
    }
    this.frames[this.depth - 1] = frame;
  }
}
