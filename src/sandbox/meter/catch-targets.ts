import { type EventList, Events } from "./events.js";

const FUNCTION_ID = 1;

/**
 * The labels that clauses of `try_table` lead exceptions to, in one function. Behind such a label the fuel has
 * to be read from where it was left, so that whatever else leads there has to leave it there first. Which
 * labels these are is known at the end only; until then each label and each branch counts as such.
 */
export class CatchTargets {
  private readonly events: EventList;
  private readonly ids: number[] = [];
  private readonly found = new Set<number>();
  private nextId = FUNCTION_ID;
  /** Whether labels are looked at, which is only needed in a function with a `try_table`. */
  active = false;

  constructor(events: EventList) {
    this.events = events;
  }

  enter(active: boolean): void {
    this.active = active;
    this.ids.length = 0;
    this.found.clear();
    this.nextId = FUNCTION_ID;
    this.open();
  }

  open(): void {
    if (this.active) this.ids.push(this.nextId++);
  }

  /** Before a branch, or the end of a frame, that leads to the frame that is `label` frames out. */
  spill(label: number, start: number): void {
    if (this.active) this.events.push(Events.spill, start, this.id(label));
  }

  /** After the end of the innermost frame, or after the start of a loop. */
  reload(start: number): void {
    if (this.active) this.events.push(Events.reload, start, this.id(0));
  }

  close(): void {
    if (this.active) this.ids.pop();
  }

  mark(label: number): void {
    this.found.add(this.id(label));
  }

  /** Whether the end of the function is such a label. */
  get hasEnd(): boolean {
    return this.found.has(FUNCTION_ID);
  }

  /** Takes back the events of the function that concern other labels. */
  settle(firstEvent: number): void {
    const { events } = this;
    for (let event = firstEvent; event < events.count; event++) {
      const kind = events.kind(event);
      if (kind !== Events.spill && kind !== Events.reload) continue;
      if (!this.found.has(events.operand(event))) events.setKind(event, Events.none);
    }
  }

  private id(label: number): number {
    return this.ids[this.ids.length - 1 - label] ?? 0;
  }
}
