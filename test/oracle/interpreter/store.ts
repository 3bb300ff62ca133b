import type { FunctionType, ValueType } from "#src/sandbox/binary/core-types";
import type { Instruction } from "./decode.js";
import type { Reference, Value } from "./values.js";

/** What instances are made of: https://webassembly.github.io/spec/core/exec/runtime.html#store */
export class Tag {
  readonly type: FunctionType;

  constructor(type: FunctionType) {
    this.type = type;
  }
}

export class Global {
  readonly type: ValueType;
  value: Value;

  constructor(type: ValueType, value: Value) {
    this.type = type;
    this.value = value;
  }
}

export class Table {
  elements: Reference[];
  readonly max: number;

  constructor(min: number, max: number) {
    this.elements = new Array<Reference>(min).fill(null);
    this.max = max;
  }
}

export class Memory {
  bytes: Uint8Array<ArrayBuffer>;
  /** in pages */
  readonly max: number;

  constructor(min: number, max: number) {
    this.bytes = new Uint8Array(min * 65_536);
    this.max = max;
  }

  get pages(): number {
    return this.bytes.length / 65_536;
  }
}

export interface Func {
  readonly type: FunctionType;
  /** of a function of the host's */
  readonly host?: (args: readonly Value[]) => Value[];
  /** of a function that a module defines */
  readonly defined?: {
    readonly instance: Instance;
    readonly locals: readonly ValueType[];
    readonly code: () => readonly Instruction[];
  };
}

export type Extern = Func | Global | Table | Memory | Tag;

/** Each index space with the imports first. */
export interface Instance {
  readonly types: readonly FunctionType[];
  readonly functions: Func[];
  readonly tables: Table[];
  readonly memories: Memory[];
  readonly globals: Global[];
  readonly tags: Tag[];
  readonly elements: (readonly Reference[])[];
  readonly data: Uint8Array[];
  readonly exports: Map<string, Extern>;
}

/** What all modules of one guest may still grow by, and no memory or table may be larger than. */
export interface Allowance {
  pages: number;
  elements: number;
  readonly maxPages: number;
  readonly maxElements: number;
}
