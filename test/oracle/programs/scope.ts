import { type FunctionType, type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";
import { Code } from "./code.js";
import type { Random } from "./random.js";
import {
  BLOCK_TYPES,
  CAUGHT_TYPES,
  FUNCTION_TYPES,
  HOST_TYPE,
  LOCAL_TYPES,
  type NumberType,
  TAG_TYPES,
} from "./shapes.js";

export type Exceptions = "legacy" | "try_table" | undefined;

interface Label {
  /** what a branch to it brings */
  readonly types: readonly ValueType[];
  readonly isLoop: boolean;
  readonly isCatch: boolean;
}

/** What the module at hand is made of. */
export interface Plan {
  readonly random: Random;
  /** type of each function that the module defines */
  readonly functions: readonly FunctionType[];
  readonly exceptions: Exceptions;
  /** whether the program may look at the bits of NaNs, which an engine is free in unless it is metered */
  readonly seesNans: boolean;
}

/** The index of the first function that the module defines; before it is the host's. */
export const FIRST_FUNCTION = 1;
export const HOST = 0;

const STIR_TYPE: FunctionType = { params: [], results: [ValueTypes.i32] };

/** All types of the module, in order. */
export function typesOf(exceptions: Exceptions): readonly FunctionType[] {
  const caught = exceptions === "try_table" ? CAUGHT_TYPES : [];
  return [...FUNCTION_TYPES, ...BLOCK_TYPES, ...TAG_TYPES, HOST_TYPE, STIR_TYPE, ...caught];
}

/** One function while its code is made. */
export class Scope {
  readonly code = new Code();
  readonly plan: Plan;
  readonly index: number;
  readonly type: FunctionType;
  readonly labels: Label[] = [];
  readonly locals: readonly ValueType[];
  private readonly types: readonly FunctionType[];
  /** how many more expressions and statements it may have; after that it gets the simplest */
  left: number;

  constructor(plan: Plan, index: number, size: number) {
    this.plan = plan;
    this.index = index;
    this.type = plan.functions[index] as FunctionType;
    this.locals = [...this.type.params, ...LOCAL_TYPES];
    this.types = typesOf(plan.exceptions);
    this.left = size;
    this.labels.push({ types: this.type.results, isLoop: false, isCatch: false });
  }

  get random(): Random {
    return this.plan.random;
  }

  /** Whether there is room for one more that has parts. */
  takes(): boolean {
    return this.left-- > 0 && this.labels.length < 8;
  }

  typeIndex(type: FunctionType): number {
    const index = this.types.findIndex(
      ({ params, results }) => `${params}` === `${type.params}` && `${results}` === `${type.results}`,
    );
    if (index < 0) throw new RangeError(`the module has no type (${type.params}) -> (${type.results})`);
    return index;
  }

  /** A local of this type that programs may use as they like. */
  local(type: ValueType): number {
    const all = this.locals.flatMap((local, i) => (local === type && i !== this.spare(type) ? [i] : []));
    return all.length > 0 ? this.random.pick(all) : this.spare(type);
  }

  /** The last local of this type: for what is to be had twice. */
  spare(type: ValueType): number {
    return this.locals.lastIndexOf(type);
  }

  /** `inside` of a frame that branches with `types` lead to the end of, or to the start of a loop. */
  inside(types: readonly ValueType[], work: () => void, { isLoop = false, isCatch = false } = {}): void {
    this.labels.push({ types, isLoop, isCatch });
    work();
    this.labels.pop();
  }

  label(index: number): Label {
    return this.labels[this.labels.length - 1 - index] as Label;
  }

  get targets(): number[] {
    return [...this.labels.keys()];
  }

  /** Of these the ones that bring the same. */
  targetsLike(index: number): number[] {
    const wanted = `${this.label(index).types}`;
    return this.targets.filter((i) => `${this.label(i).types}` === wanted);
  }

  isNumber(type: ValueType): type is NumberType {
    return type >= ValueTypes.f64;
  }
}
