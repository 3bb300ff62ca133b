import { Reader } from "#src/sandbox/binary/bytes";
import type { CoreModule } from "#src/sandbox/binary/core-module";
import type { FunctionType, ValueType } from "#src/sandbox/binary/core-types";
import { Immediates, immediatesOf, opcodeName } from "#src/sandbox/binary/opcodes";
import { Unsupported, type Value } from "./values.js";

export interface CatchClause {
  readonly kind: "catch" | "catch_ref" | "catch_all" | "catch_all_ref";
  readonly tag: number;
  readonly label: number;
}

export interface Handler {
  /** undefined for `catch_all` */
  readonly tag?: number;
  readonly body: readonly Instruction[];
}

/** One instruction; a structured one holds what is inside of it. */
export interface Instruction {
  readonly name: string;
  readonly opcode: number;
  /** The first two immediates that are indices or labels; of a memory access, the memory and the offset. */
  first: number;
  second: number;
  /** of a `const` */
  value: Value;
  labels: readonly number[];
  type: FunctionType;
  body: readonly Instruction[];
  otherwise: readonly Instruction[];
  handlers: readonly Handler[];
  clauses: readonly CatchClause[];
  /** of a `try` that ends in `delegate` */
  delegate?: number;
}

const NO_TYPE: FunctionType = { params: [], results: [] };
const CLAUSES = ["catch", "catch_ref", "catch_all", "catch_all_ref"] as const;
const OPENERS = new Set(["block", "loop", "if", "try", "try_table"]);
const CLOSERS = new Set(["end", "else", "catch", "catch_all", "delegate"]);

/** Decodes a function's code, or a constant expression, to a tree. The module must be valid. */
export function decode(module: CoreModule, start: number, end: number): readonly Instruction[] {
  return new Decoder(module, new Reader(module.bytes, start, end)).sequence().body;
}

class Decoder {
  private readonly module: CoreModule;
  private readonly reader: Reader;

  constructor(module: CoreModule, reader: Reader) {
    this.module = module;
    this.reader = reader;
  }

  /** Up to and with the next instruction that closes it. */
  sequence(): { readonly body: readonly Instruction[]; readonly closer: Instruction } {
    const body: Instruction[] = [];
    for (;;) {
      const instruction = this.one();
      if (CLOSERS.has(instruction.name)) return { body, closer: instruction };
      if (OPENERS.has(instruction.name)) this.inside(instruction);
      body.push(instruction);
    }
  }

  private inside(opener: Instruction): void {
    const { body, closer } = this.sequence();
    opener.body = body;
    let next = closer;
    const handlers: Handler[] = [];
    while (next.name !== "end") {
      if (next.name === "delegate") {
        opener.delegate = next.first;
        break;
      }
      const part = this.sequence();
      if (next.name === "else") opener.otherwise = part.body;
      else handlers.push({ body: part.body, ...(next.name === "catch" ? { tag: next.first } : {}) });
      next = part.closer;
    }
    opener.handlers = handlers;
  }

  private one(): Instruction {
    const { reader } = this;
    let opcode = reader.byte();
    if (opcode === 0xfd) throw new Unsupported("SIMD");
    if (opcode === 0xfc) opcode = (opcode << 8) | reader.u32();
    const instruction: Instruction = {
      name: opcodeName(opcode),
      opcode,
      first: 0,
      second: 0,
      value: 0,
      labels: [],
      type: NO_TYPE,
      body: [],
      otherwise: [],
      handlers: [],
      clauses: [],
    };
    this.immediates(instruction);
    return instruction;
  }

  private immediates(into: Instruction): void {
    const { reader } = this;
    switch (immediatesOf[into.opcode]) {
      case Immediates.none:
        return;
      case Immediates.i32:
        into.value = reader.s32();
        return;
      case Immediates.i64:
        into.value = reader.s64();
        return;
      case Immediates.f32:
        into.value = this.bits(4).getInt32(0, true);
        return;
      case Immediates.f64:
        into.value = this.bits(8).getBigInt64(0, true);
        return;
      case Immediates.block:
        into.type = this.blockType();
        return;
      case Immediates.tryTable:
        into.type = this.blockType();
        into.clauses = this.vector(() => this.clause());
        return;
      case Immediates.labels:
        into.labels = this.vector(() => reader.u32());
        into.first = reader.u32();
        return;
      case Immediates.memarg: {
        const flags = reader.u32();
        into.first = flags & 0x40 ? reader.u32() : 0;
        into.second = reader.u32();
        return;
      }
      case Immediates.types:
        this.vector(() => reader.byte());
        return;
      case Immediates.heapType:
        reader.byte();
        return;
      case Immediates.typeTable:
      case Immediates.tables:
      case Immediates.elemTable:
      case Immediates.memories:
      case Immediates.dataMemory:
        into.first = reader.u32();
        into.second = reader.u32();
        return;
      default:
        into.first = reader.u32();
    }
  }

  private vector<T>(item: () => T): T[] {
    return Array.from({ length: this.reader.u32() }, item);
  }

  private bits(size: number): DataView {
    const { start, end } = this.reader.skip(size);
    return new DataView(this.reader.bytes.slice(start, end).buffer);
  }

  private clause(): CatchClause {
    const kind = CLAUSES[this.reader.byte()] ?? "catch_all";
    const tag = kind === "catch" || kind === "catch_ref" ? this.reader.u32() : 0;
    return { kind, tag, label: this.reader.u32() };
  }

  private blockType(): FunctionType {
    const type = this.reader.s33();
    if (type >= 0) return this.module.types[type] ?? NO_TYPE;
    return type === -0x40 ? NO_TYPE : { params: [], results: [(type + 0x80) as ValueType] };
  }
}
