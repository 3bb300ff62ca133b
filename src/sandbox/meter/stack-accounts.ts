import { MAX_STACK_UNITS, STACK_UNIT_BYTES } from "../meter-contract.js";
import type { FunctionPlan, ModulePlan } from "./module-plan.js";

/** Frames that no account is kept of are no more than this together: it is a small part of an engine's stack. */
const RESERVE_UNITS = (64 * 1024) / STACK_UNIT_BYTES;

/** What calls take together at most between two of which each looks whether the stack ran out. */
const UNSEEN_UNITS = 2048;

/** With what was unseen before, it cannot come round to a stack that looks as if it had not run out. */
const MAX_FRAME_UNITS = MAX_STACK_UNITS - UNSEEN_UNITS;

/**
 * How the functions of a module account for the stack. Whatever calls can be nested without end, or in a way that
 * is not known here, is *checked*: it takes its frame off the stack that is left, and traps if that is not enough.
 * What calls such, but is not such itself, only takes. Of what does neither there is no account.
 */
export class StackAccounts {
  /** What each function takes, 0 if there is no account of it. */
  private readonly weights: Uint16Array;
  private readonly checked: Uint8Array;
  private readonly plan: ModulePlan;
  private readonly functions: readonly FunctionPlan[];
  private readonly first: number;
  private readonly frame: (index: number, plan: FunctionPlan) => number;
  /** Units of the deepest calls from a function up to what is checked: of such as take, and of such as have no account. */
  private readonly taken: Int32Array;
  private readonly untaken: Int32Array;

  /** @param frame the units of a function's frame */
  constructor(
    first: number,
    plan: ModulePlan,
    functions: readonly FunctionPlan[],
    frame: (index: number, plan: FunctionPlan) => number,
  ) {
    const count = first + functions.length;
    this.first = first;
    this.plan = plan;
    this.functions = functions;
    this.frame = frame;
    this.weights = new Uint16Array(count);
    this.checked = new Uint8Array(count);
    this.taken = new Int32Array(count);
    this.untaken = new Int32Array(count);
    this.follow();
  }

  weight(index: number): number {
    return this.weights[index] ?? 0;
  }

  isChecked(index: number): boolean {
    return this.checked[index] === 1;
  }

  /** Goes through all functions, each after those that it calls. */
  private follow(): void {
    const { calls } = this.plan;
    const begun = new Uint8Array(this.weights.length);
    const path: number[] = [];
    const next: number[] = [];
    for (let root = this.first; root < begun.length; root++) {
      if (begun[root] !== 0) continue;
      begun[root] = 1;
      path.push(root);
      next.push(this.of(root).firstCall);
      while (path.length > 0) {
        const caller = path[path.length - 1] as number;
        const call = (next[next.length - 1] as number)++;
        if (call === this.of(caller).endCall) {
          begun[caller] = 2;
          this.settle(caller);
          path.pop();
          next.pop();
          if (path.length > 0) this.noteCall(path[path.length - 1] as number, caller);
          continue;
        }
        const callee = calls.target(call);
        if (begun[callee] === 2) {
          this.noteCall(caller, callee);
        } else if (begun[callee] === 1) {
          // It calls itself, or something that calls it.
          this.checked[callee] = 1;
          this.taken[caller] = Math.max(this.taken[caller] as number, 1);
        } else {
          begun[callee] = 1;
          path.push(callee);
          next.push(this.of(callee).firstCall);
        }
      }
    }
  }

  private noteCall(caller: number, callee: number): void {
    const isTaken = this.weights[callee] !== 0;
    const depths = isTaken ? this.taken : this.untaken;
    const depth = this.checked[callee] === 1 ? 1 : (depths[callee] as number);
    depths[caller] = Math.max(depths[caller] as number, depth);
  }

  private settle(index: number): void {
    const function_ = this.of(index);
    const units = this.frame(index, function_);
    const callsTaking = (this.taken[index] as number) > 0;
    if (function_.callsUnknown || (callsTaking && this.plan.referenced[index] === 1)) this.checked[index] = 1;
    this.taken[index] = (this.taken[index] as number) + units;
    this.untaken[index] = (this.untaken[index] as number) + units;
    if (this.checked[index] !== 1 && !callsTaking && (this.untaken[index] as number) <= RESERVE_UNITS) return;
    if ((this.taken[index] as number) > UNSEEN_UNITS) this.checked[index] = 1;
    this.weights[index] = Math.min(units, MAX_FRAME_UNITS);
  }

  private of(index: number): FunctionPlan {
    return this.functions[index - this.first] as FunctionPlan;
  }
}
