import { type ValueType, ValueTypes } from "../binary/core-types.js";
import { type EventList, Events } from "./events.js";
import { Shapes } from "./float-shapes.js";
import { NanLocals } from "./nan-locals.js";

const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;

/**
 * Finds out which results of float arithmetic need their NaNs made canonical, since the sign and payload of
 * these differ between engines, and in one engine after it has optimised. Each result does, unless all that
 * takes it is float arithmetic too, which sees only that it is a NaN: from the operand stack, or from a local of
 * which all reads are of that kind (see `NanLocals`).
 *
 * Wherever else a NaN comes to (memory, globals, calls, other modules) it is canonical, or a bit pattern that the
 * guest made itself.
 */
export class NanTracker {
  /** The height of the last value that is followed on the stack; -1 without one. */
  top = -1;
  private readonly events: EventList;
  private count = 0;
  private readonly heights: number[] = [];
  private readonly shapes: number[] = [];
  /** the event that makes it canonical; for a value that was read from a local, -1 - local */
  private readonly origins: number[] = [];
  /** of a value that was read from a local: the event of the read, and how often that is, roughly */
  private readonly reads: number[] = [];
  private readonly readWeights: number[] = [];
  private readonly localShapes: number[] = [];
  private readonly locals: NanLocals;
  /** How often the code here is executed, roughly. */
  weight = 1;
  /** Whether there are locals to follow. */
  followsLocals = false;

  constructor(events: EventList) {
    this.events = events;
    this.locals = new NanLocals(events);
  }

  /** Starts a function with these parameters and locals. */
  enter(params: readonly ValueType[], locals: readonly { count: number; type: ValueType }[]): void {
    this.count = 0;
    this.top = -1;
    this.weight = 1;
    this.followsLocals = params.some(isFloat) || locals.some(({ type }) => isFloat(type));
    if (!this.followsLocals) return;
    this.localShapes.length = 0;
    for (const type of params) this.localShapes.push(shapeOf(type));
    for (const { count, type } of locals)
      for (let i = 0; i < count; i++) this.localShapes.push(shapeOf(type));
    this.locals.enter(params.length, this.localShapes.length - params.length);
  }

  /** All that is followed on the stack may be seen. */
  clear(): void {
    if (this.count > 0) this.drop(0);
  }

  /** What stood at this height of the stack, or above, was taken by something else than arithmetic. */
  drop(height: number): void {
    while (this.count > 0 && (this.heights[this.count - 1] as number) >= height) {
      if ((this.origins[--this.count] as number) < 0) this.see(this.count);
    }
    this.update();
  }

  /**
   * `local.get`, `local.set` or `local.tee`, with the height and the offset after it.
   * @param isNumber whether what it takes, if it does, is a float that is no NaN
   */
  local(opcode: number, local: number, height: number, end: number, isNumber: boolean): void {
    const shape = this.localShapes[local] as number;
    if (opcode === LOCAL_GET) {
      if (shape === Shapes.none) return;
      this.reads[this.count] = this.locals.read(local, end, shape);
      this.readWeights[this.count] = this.weight;
      this.push(-1 - local, shape, height);
      return;
    }
    const taken = opcode === LOCAL_SET ? height + 1 : height;
    const last = this.count - 1;
    if (shape === Shapes.none || last < 0 || this.heights[last] !== taken) {
      if (shape !== Shapes.none && !isNumber) this.locals.writeOther(local);
      this.drop(taken);
      return;
    }
    const origin = this.origins[last] as number;
    if (origin < 0) this.locals.copy(-1 - origin, local, this.reads[last] as number);
    else this.locals.write(local, origin, this.weight);
    if (opcode !== LOCAL_SET) return;
    if (origin >= 0) this.events.setKind(origin, Events.none);
    this.count--;
    this.update();
  }

  /**
   * An instruction that takes operands of one shape and gives a result of another, or something else, at
   * `height`; `end` is the offset after it.
   */
  operate(taken: number, given: number, height: number, end: number): void {
    while (this.count > 0 && (this.heights[this.count - 1] as number) >= height) {
      const origin = this.origins[--this.count] as number;
      // An operand of another shape was taken for its bits.
      const isSeen = this.shapes[this.count] !== taken;
      if (origin >= 0 && !isSeen) this.events.setKind(origin, Events.none);
      if (origin < 0 && isSeen) this.see(this.count);
    }
    if (given === Shapes.none) this.update();
    else this.push(this.events.push(Events.canonical, end, given), given, height);
  }

  /** At the end of the function. */
  settle(): void {
    if (this.followsLocals) this.locals.settle();
  }

  /** The bits of a value on the stack that was read from a local are seen. */
  private see(value: number): void {
    const local = -1 - (this.origins[value] as number);
    this.locals.see(local, this.reads[value] as number, this.readWeights[value] as number);
  }

  private push(origin: number, shape: number, height: number): void {
    this.heights[this.count] = height;
    this.shapes[this.count] = shape;
    this.origins[this.count] = origin;
    this.count++;
    this.top = height;
  }

  private update(): void {
    this.top = this.count > 0 ? (this.heights[this.count - 1] as number) : -1;
  }
}

function isFloat(type: ValueType): boolean {
  return shapeOf(type) !== Shapes.none;
}

/** Of a local: vectors are not followed there, since they have no shape of their own. */
function shapeOf(type: ValueType): number {
  if (type === ValueTypes.f32) return Shapes.f32;
  return type === ValueTypes.f64 ? Shapes.f64 : Shapes.none;
}
