import type { BlockGraph } from "./block-graph.js";

/** What metering does at one place of a function's code. */
export const Events = {
  /** nothing is left to do here */
  none: 0,
  /** a block starts */
  charge: 1,
  /** after a `loop` instruction: the charge of each turn, and the check */
  loop: 2,
  /** the end of the function; the operand stack may be polymorphic if `operand` is 1 */
  end: 3,
  /** `operand` is the function */
  call: 4,
  /** of an import */
  callOut: 5,
  return: 6,
  /** `operand` is the function */
  returnCall: 7,
  returnCallIndirect: 8,
  unreachable: 9,
  /** an instruction that raises an exception */
  throw: 10,
  /** after a `catch` or `catch_all` instruction */
  catch: 11,
  /** before a branch, or an `end`, that leads to where exceptions are caught */
  spill: 12,
  /** after a label to which exceptions are caught */
  reload: 13,
  /** `operand` is the guest's index */
  globalGet: 14,
  globalSet: 15,
  /** access to the one local that moves; `operand` is the opcode */
  movedLocal: 16,
  /** `operand` is the function */
  refFunc: 17,
  /** an instruction that a helper function stands in for; `operand` is the helper's number */
  helped: 18,
  /** `operand` is the table */
  callIndirect: 19,
  /** after an instruction whose result may be a NaN of any kind; `operand` is its shape */
  canonical: 20,
} as const;

const FIELDS = 4;

/**
 * The events of all functions of a module, in the order of the code. `start` is the offset in the file that
 * the event comes before, `operand` as `Events` says, `charge` the units that are charged there; while a function
 * is scanned, it is the number of the block whose charge it is, -1 for none.
 */
export class EventList {
  count = 0;
  private fields = new Int32Array(FIELDS * 4096);

  push(kind: number, start: number, operand = 0, charge = -1): number {
    const at = this.count * FIELDS;
    if (at === this.fields.length) {
      const grown = new Int32Array(this.fields.length * 2);
      grown.set(this.fields);
      this.fields = grown;
    }
    const { fields } = this;
    fields[at] = kind;
    fields[at + 1] = start;
    fields[at + 2] = operand;
    fields[at + 3] = charge;
    return this.count++;
  }

  kind(event: number): number {
    return this.fields[event * FIELDS] as number;
  }

  start(event: number): number {
    return this.fields[event * FIELDS + 1] as number;
  }

  operand(event: number): number {
    return this.fields[event * FIELDS + 2] as number;
  }

  charge(event: number): number {
    return this.fields[event * FIELDS + 3] as number;
  }

  setKind(event: number, kind: number): void {
    this.fields[event * FIELDS] = kind;
  }

  setCharge(event: number, charge: number): void {
    this.fields[event * FIELDS + 3] = charge;
  }

  /** Puts the units of each block in place of its number, in the events from `first` on. */
  settleCharges(first: number, graph: BlockGraph): void {
    const { fields, count } = this;
    for (let at = first * FIELDS + 3; at < count * FIELDS; at += FIELDS) {
      const block = fields[at] as number;
      fields[at] = block < 0 ? 0 : graph.charge(block);
    }
  }

  /** Forgets the events from `count` on. */
  rewind(count: number): void {
    this.count = count;
  }
}
