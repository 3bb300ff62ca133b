import { IF, LOOP } from "../binary/instructions.js";
import { BlockGraph, NONE, OUTSIDE } from "./block-graph.js";
import { type EventList, Events } from "./events.js";

/** In place of a block: no run comes here. */
const DEAD = -1;

/** An open frame; one object for each depth, used again and again. */
class Frame {
  kind = 0;
  isDead = false;
  /** what leads to its label */
  label = NONE;
  /** of an `if`: what leads to its `else` */
  otherwise = NONE;
  /** of a loop: its event */
  event = NONE;
  isBranchedTo = false;
}

/**
 * Divides the code of one function into blocks, of which all instructions are executed or none, and decides what
 * each is charged, at its start or at its first use of the fuel.
 *
 * Frames are numbered from the outermost: 0 is the function itself.
 */
export class ChargePlacer {
  /** The event of the block's charge while it may be paid here too. */
  movable = NONE;
  /** Open frames. */
  depth = 0;
  /** Whether the function's own label is the target of a branch, or of a clause that catches. */
  isEndBranchedTo = false;
  /** Open loops. */
  loopDepth = 0;
  /** What all code of the function costs that some run may come to. */
  totalCost = 0;
  private current = DEAD;
  private firstEvent = 0;
  private readonly events: EventList;
  private readonly frames: Frame[] = [];
  private readonly graph = new BlockGraph();

  constructor(events: EventList) {
    this.events = events;
  }

  /** Starts a function whose code begins at `start`. Returns the event of its first charge. */
  enter(start: number): number {
    this.depth = 0;
    this.isEndBranchedTo = false;
    this.totalCost = this.loopDepth = 0;
    this.firstEvent = this.events.count;
    this.graph.clear();
    this.begin(OUTSIDE, start);
    this.open(0).label = OUTSIDE;
    return this.movable;
  }

  spend(units: number): void {
    if (this.current === DEAD) return;
    this.totalCost += units;
    this.graph.spend(this.current, units);
  }

  /** Opens a frame whose code goes on from here: `block`, `try` and `try_table`. */
  open(kind: number): Frame {
    const depth = this.depth++;
    let frame = this.frames[depth];
    if (frame === undefined) {
      frame = new Frame();
      this.frames[depth] = frame;
    }
    frame.kind = kind;
    frame.isDead = this.current === DEAD;
    frame.label = NONE;
    frame.isBranchedTo = false;
    return frame;
  }

  openIf(start: number): void {
    const frame = this.open(IF);
    if (frame.isDead) return;
    frame.otherwise = this.graph.junction();
    this.graph.lead(this.current, frame.otherwise);
    this.begin(frame.otherwise, start);
  }

  openLoop(start: number): void {
    const frame = this.open(LOOP);
    this.loopDepth++;
    if (frame.isDead) return;
    frame.label = this.graph.junction();
    this.graph.lead(this.current, frame.label);
    this.current = this.graph.block(frame.label);
    frame.event = this.events.push(Events.loop, start, 0, this.current);
    this.movable = NONE;
  }

  /** At `else`: the other way. */
  otherwise(start: number): void {
    const frame = this.top();
    if (frame.isDead) return;
    if (this.current !== DEAD) this.graph.lead(this.current, this.labelOf(frame));
    this.begin(frame.otherwise, start);
  }

  /** At `catch` and `catch_all`: where only an exception leads to. */
  handle(start: number): void {
    const frame = this.top();
    if (frame.isDead) return;
    if (this.current !== DEAD) this.graph.lead(this.current, this.labelOf(frame));
    this.begin(OUTSIDE, start);
  }

  /** At `end` and `delegate`; `start` is the offset after it, `isOpenIf` says that there was no `else`. */
  close(start: number, isOpenIf: boolean): void {
    const frame = this.top();
    this.depth--;
    if (frame.kind === LOOP) {
      this.loopDepth--;
      // Without a further turn it is no loop, and needs no check.
      if (frame.isDead || frame.isBranchedTo) return;
      this.events.setKind(frame.event, Events.charge);
      return;
    }
    if (frame.isDead) {
      this.leave();
      return;
    }
    if (isOpenIf) this.graph.join(this.labelOf(frame), frame.otherwise);
    if (frame.label === NONE) return;
    if (this.current !== DEAD) this.graph.lead(this.current, frame.label);
    this.begin(frame.label, start);
  }

  /** At the end of the function: gives its events their units. */
  finish(): void {
    if (this.current !== DEAD) this.graph.lead(this.current, OUTSIDE);
    this.depth = 0;
    this.graph.settle();
    this.events.settleCharges(this.firstEvent, this.graph);
  }

  /** A branch on a condition to the frame that is `label` frames out; `start` is the offset after it. */
  branchIf(label: number, start: number): void {
    this.branchAmong(label);
    if (this.current === DEAD) return;
    this.begin(this.labelOf(this.frame(label)), start);
  }

  /** A branch that is always taken. */
  branch(label: number): void {
    this.branchAmong(label);
    this.leave();
  }

  /** One target of a branch that has several; `leave` follows the last. */
  branchAmong(label: number): void {
    // In dead code too: an engine checks the types of branches that are never taken.
    if (label === this.depth - 1) this.isEndBranchedTo = true;
    if (this.current === DEAD) return;
    const frame = this.frame(label);
    frame.isBranchedTo = true;
    this.graph.lead(this.current, this.labelOf(frame));
  }

  /** A clause of a `try_table` leads exceptions to the frame that is `label` frames out. */
  markCatch(label: number): void {
    if (label === this.depth - 1) this.isEndBranchedTo = true;
    if (this.current === DEAD) return;
    const frame = this.frame(label);
    frame.isBranchedTo = true;
    this.graph.join(this.labelOf(frame), OUTSIDE);
  }

  /** A return, a tail call, or an instruction that raises an exception. */
  exit(): void {
    if (this.current !== DEAD) this.graph.lead(this.current, OUTSIDE);
    this.leave();
  }

  /** A call that an exception may end. */
  mayExit(start: number): void {
    if (this.current === DEAD) return;
    this.graph.lead(this.current, OUTSIDE);
    this.begin(OUTSIDE, start);
  }

  /** No run comes to what follows, up to the end of the frame. */
  leave(): void {
    this.current = DEAD;
    this.movable = NONE;
  }

  private top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  private frame(label: number): Frame {
    return this.frames[this.depth - 1 - label] as Frame;
  }

  private labelOf(frame: Frame): number {
    if (frame.label === NONE) frame.label = this.graph.junction();
    return frame.label;
  }

  private begin(junction: number, start: number): void {
    this.current = this.graph.block(junction);
    this.movable = this.events.push(Events.charge, start, 0, this.current);
  }
}
