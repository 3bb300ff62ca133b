import { BLOCK, LOOP, TRY } from "../binary/instructions.js";
import { DEAD, type Fork, Frame, NEVER, NONE } from "./charge-frames.js";
import { Escapes, FRESH } from "./escapes.js";
import { type Charges, type EventList, Events } from "./events.js";

/** The target of what leaves the function, or may, by an exception. */
const OUTSIDE = -1;

/**
 * Decides where the charges of one function stand. Code has one charge with code before it where each run
 * that comes to the one comes to the other, as often, unless it traps: what is charged in all is then what is
 * executed. Where only some runs come, a new charge starts.
 *
 * Frames are numbered from the outermost: 0 is the function itself.
 */
export class ChargePlacer {
  /** The charge that pays for the code here; negative where no run comes. */
  current = DEAD;
  /** The event of that charge while no branch or merge stands between it and here: it may be paid here too. */
  movable = NONE;
  /** Open frames. */
  depth = 0;
  private readonly events: EventList;
  private readonly charges: Charges;
  private readonly frames: Frame[] = [];
  private readonly escapes = new Escapes();
  private innermostLoop = NONE;
  private time = 0;
  /** charges that pay for an unconditional branch to a loop, in lists that each loop has the last of */
  private readonly turnCharges: number[] = [];
  private readonly turnsBefore: number[] = [];
  private readonly forks: Fork[] = [];
  /** Whether the function's own label is the target of a branch, or of a clause that catches. */
  isEndBranchedTo = false;

  constructor(events: EventList, charges: Charges) {
    this.events = events;
    this.charges = charges;
  }

  /** Starts a function whose code begins at `start`. Returns the event of its first charge. */
  enter(start: number): number {
    this.depth = 0;
    this.time = 0;
    this.innermostLoop = NONE;
    this.isEndBranchedTo = false;
    this.turnCharges.length = 0;
    this.turnsBefore.length = 0;
    this.forks.length = 0;
    this.escapes.clear();
    this.begin(start);
    this.open(0);
    return this.movable;
  }

  spend(units: number): void {
    if (this.current !== DEAD) this.charges.add(this.current, units);
  }

  /** Opens a frame whose code goes on from here: `block` and `try_table`. */
  open(kind: number): Frame {
    const depth = this.depth++;
    let frame = this.frames[depth];
    if (frame === undefined) {
      frame = new Frame();
      this.frames[depth] = frame;
    }
    frame.kind = kind;
    frame.outer = this.current;
    frame.openedAt = ++this.time;
    frame.branchedAt = NEVER;
    frame.reached = false;
    frame.forkedFrom = NONE;
    return frame;
  }

  /** Opens an `if` or a `try`: there is a second way to its end. */
  openForked(kind: number, start: number): void {
    const frame = this.open(kind);
    frame.branchedAt = frame.openedAt;
    if (this.current === DEAD || kind === TRY) return;
    frame.forkedFrom = this.current;
    this.begin(start);
    frame.firstWay = this.current;
  }

  openLoop(start: number): void {
    const frame = this.open(LOOP);
    frame.enclosingLoop = this.innermostLoop;
    frame.turnsOnCondition = false;
    frame.lastTurn = NONE;
    frame.event = NONE;
    this.innermostLoop = this.depth - 1;
    if (this.current === DEAD) return;
    frame.event = this.events.push(Events.loop, start);
    this.current = this.charges.open();
    this.events.setCharge(frame.event, this.current);
    this.movable = NONE;
  }

  /** At `else`: the other way. */
  otherwise(start: number): void {
    const frame = this.top();
    if (frame.outer === DEAD) return;
    if (this.current !== DEAD) frame.reached = true;
    this.begin(start);
    this.joinFork(frame);
    if (frame.reached) {
      this.adopt(frame, FRESH);
    } else {
      // Whatever comes to the end comes by here.
      frame.branchedAt = NEVER;
      this.adopt(frame, this.current);
    }
  }

  /** At `catch` and `catch_all`: where only an exception leads to. */
  handle(start: number): void {
    const frame = this.top();
    if (frame.outer === DEAD) return;
    if (this.current !== DEAD) frame.reached = true;
    this.begin(start);
    this.escape(OUTSIDE, FRESH);
  }

  /** At `end` and `delegate`; `start` is the offset after it, `isOpenIf` says that there was no `else`. */
  close(start: number, isOpenIf: boolean): void {
    const frame = this.top();
    const index = --this.depth;
    if (frame.kind === LOOP) this.closeLoop(frame);
    this.escapes.forgetFrom(index);
    const isReached = this.current !== DEAD || isOpenIf || frame.reached;
    if (frame.outer === DEAD || !isReached || index === 0) {
      this.current = DEAD;
      this.movable = NONE;
      return;
    }
    const isForkOnly = frame.kind === BLOCK && this.current === DEAD;
    const isPassed = this.escapes.anySince(frame.openedAt);
    const next = isPassed ? this.escapes.continuation(index, frame.branchedAt) : frame.outer;
    if (next === this.current) return;
    this.movable = NONE;
    this.current = next;
    if (next !== FRESH) return;
    this.begin(start);
    if (isForkOnly) this.joinFork(frame);
    this.adopt(frame, this.current);
  }

  /** At the end of the function: what both ways of a fork cost is paid before it, so that one of them is free. */
  finish(): void {
    const { charges, forks } = this;
    // Forks inside of the ways of others first: what they pay before is a part of that way.
    forks.sort((a, b) => b.before - a.before);
    for (const { before, first, second } of forks) {
      const both = Math.min(charges.amount(first), charges.amount(second));
      charges.add(before, both);
      charges.add(first, -both);
      charges.add(second, -both);
    }
  }

  /** A branch on a condition to the frame that is `label` frames out; `start` is the offset after it. */
  branchIf(label: number, start: number): void {
    this.nameTarget(label);
    if (this.current === DEAD) return;
    const target = this.depth - 1 - label;
    const frame = this.frames[target] as Frame;
    const isFirst = !frame.reached && frame.kind === BLOCK;
    const before = this.current;
    this.markBranch(target);
    this.begin(start);
    frame.forkedFrom = isFirst ? before : NONE;
    frame.firstWay = this.current;
    this.escape(target, this.current);
  }

  /** The only target of a branch that is always taken. */
  branch(label: number): void {
    this.nameTarget(label);
    if (this.current === DEAD) return;
    const target = this.depth - 1 - label;
    const frame = this.frames[target] as Frame;
    if (frame.kind === LOOP) {
      this.turnsBefore.push(frame.lastTurn);
      frame.lastTurn = this.turnCharges.push(this.current) - 1;
    } else {
      this.markBranch(target);
    }
    this.escape(target, FRESH);
    this.leave();
  }

  /** One target of a branch that has several; `leave` follows the last. */
  branchAmong(label: number): void {
    this.nameTarget(label);
    if (this.current === DEAD) return;
    const target = this.depth - 1 - label;
    this.markBranch(target);
    this.escape(target, FRESH);
  }

  /** A clause of a `try_table` leads exceptions to the frame that is `label` frames out. */
  markCatch(label: number): void {
    this.nameTarget(label);
    if (this.current !== DEAD) this.markBranch(this.depth - 1 - label);
  }

  /** A return, a tail call, or an instruction that raises an exception. */
  exit(): void {
    if (this.current !== DEAD) this.escape(OUTSIDE, FRESH);
    this.leave();
  }

  /** A call that an exception may end. */
  mayExit(start: number): void {
    if (this.current === DEAD) return;
    this.begin(start);
    this.escape(OUTSIDE, this.current);
  }

  /** No run comes to what follows, up to the end of the frame. */
  leave(): void {
    this.current = DEAD;
    this.movable = NONE;
  }

  kindOf(label: number): number {
    return this.frames[this.depth - 1 - label]?.kind ?? 0;
  }

  /** The event of the innermost loop if each of its turns comes by here, else NONE. */
  get everyTurnOf(): number {
    if (this.current === DEAD || this.innermostLoop === NONE) return NONE;
    const { event } = this.frames[this.innermostLoop] as Frame;
    return this.events.charge(event) === this.current ? event : NONE;
  }

  /** In dead code too: an engine checks the types of branches that are never taken. */
  private nameTarget(label: number): void {
    if (label === this.depth - 1) this.isEndBranchedTo = true;
  }

  private top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  /** The second way of the fork that the frame knows of starts here, and is reached by no other. */
  private joinFork({ forkedFrom, firstWay }: Frame): void {
    if (forkedFrom >= 0) this.forks.push({ before: forkedFrom, first: firstWay, second: this.current });
  }

  private begin(start: number): void {
    this.current = this.charges.open();
    this.movable = this.events.push(Events.charge, start);
    this.events.setCharge(this.movable, this.current);
  }

  private markBranch(target: number): void {
    const frame = this.frames[target] as Frame;
    if (frame.kind === LOOP) {
      frame.turnsOnCondition = true;
      return;
    }
    frame.reached = true;
    if (frame.kind === BLOCK) frame.forkedFrom = NONE;
    if (frame.branchedAt === NEVER) frame.branchedAt = ++this.time;
  }

  private escape(target: number, charge: number): void {
    this.escapes.add(target, ++this.time, charge, this.innermostLoop);
  }

  private adopt(frame: Frame, charge: number): void {
    this.escapes.adopt(frame.openedAt, ++this.time, charge, this.innermostLoop);
  }

  /**
   * Where each further turn of a loop comes by an unconditional branch, what a turn starts with is paid
   * before the loop and before each branch, so that the loop itself has nothing to charge.
   */
  private closeLoop(frame: Frame): void {
    this.innermostLoop = frame.enclosingLoop;
    if (frame.outer === DEAD || frame.turnsOnCondition) return;
    const head = this.events.charge(frame.event);
    for (let turn = frame.lastTurn; turn !== NONE; turn = this.turnsBefore[turn] as number) {
      if (this.turnCharges[turn] === head) return;
    }
    const units = this.charges.amount(head);
    this.charges.clear(head);
    this.charges.add(frame.outer, units);
    for (let turn = frame.lastTurn; turn !== NONE; turn = this.turnsBefore[turn] as number) {
      this.charges.add(this.turnCharges[turn] as number, units);
    }
    // Without a further turn it is no loop, and needs no check.
    if (frame.lastTurn === NONE) this.events.setKind(frame.event, Events.charge);
  }
}
