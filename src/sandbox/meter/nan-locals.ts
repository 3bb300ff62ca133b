import { type EventList, Events } from "./events.js";

/** Fields of a copy. */
const FROM = 0;
const TO = 1;
const READ = 2;
const FIELDS = 3;

/**
 * The float locals of one function: decides where NaNs that arithmetic wrote to them are made canonical, if the bits
 * of a local are seen at all. That is where it is written, or, if nothing else than such NaNs is ever written there,
 * where its bits are seen, whichever is less often: a sum that a loop makes is seen after the loop.
 */
export class NanLocals {
  private readonly events: EventList;
  /** Whether a local may hold a NaN that the guest made itself, which has to keep its bits. */
  private readonly isMixed: boolean[] = [];
  private readonly isSeen: boolean[] = [];
  private readonly readWeights: number[] = [];
  private readonly writeWeights: number[] = [];
  /** arithmetic results that were written: pairs of the event that makes one canonical, and the local */
  private readonly writes: number[] = [];
  /** reads of which the bits are seen: pairs of the event that makes what was read canonical, and the local */
  private readonly reads: number[] = [];
  /** from local to local: the two, and the event of the read */
  private readonly copies: number[] = [];

  constructor(events: EventList) {
    this.events = events;
  }

  /** Starts a function with so many parameters and locals. */
  enter(params: number, locals: number): void {
    const { isMixed, isSeen, readWeights, writeWeights } = this;
    this.writes.length = this.reads.length = this.copies.length = 0;
    isMixed.length = isSeen.length = readWeights.length = writeWeights.length = params + locals;
    isMixed.fill(true, 0, params).fill(false, params);
    isSeen.fill(false);
    readWeights.fill(0);
    writeWeights.fill(0);
  }

  /** Plans that what is read at this place may be made canonical. Returns the event, -1 if that will not be. */
  read(local: number, end: number, shape: number): number {
    if (this.isMixed[local]) return -1;
    const event = this.events.push(Events.canonical, end, shape);
    this.events.setKind(event, Events.none);
    return event;
  }

  /** @param weight how often the place is executed, roughly */
  see(local: number, read: number, weight: number): void {
    this.isSeen[local] = true;
    (this.readWeights[local] as number) += weight;
    this.reads.push(read, local);
  }

  write(local: number, origin: number, weight: number): void {
    (this.writeWeights[local] as number) += weight;
    this.writes.push(origin, local);
  }

  writeOther(local: number): void {
    this.isMixed[local] = true;
  }

  copy(from: number, to: number, read: number): void {
    this.copies.push(from, to, read);
  }

  /** At the end of the function: makes the events canonical that have to be. */
  settle(): void {
    const { events, copies, isMixed, isSeen, reads, writes } = this;
    this.spread(isMixed, FROM, TO);
    const isReadSide = isSeen.map((_, local) => {
      return !isMixed[local] && (this.readWeights[local] as number) < (this.writeWeights[local] as number);
    });
    const isClean = isSeen.map((seen, local) => seen && !isReadSide[local]);
    this.spread(isClean, TO, FROM, isReadSide);
    const make = (event: number) => events.setKind(event, Events.canonical);
    for (let i = 0; i < copies.length; i += FIELDS) {
      if (isClean[copies[i + TO] as number] && isReadSide[copies[i + FROM] as number])
        make(copies[i + READ] as number);
    }
    for (let i = 0; i < reads.length; i += 2)
      if (isReadSide[reads[i + 1] as number]) make(reads[i] as number);
    for (let i = 0; i < writes.length; i += 2)
      if (isClean[writes[i + 1] as number]) make(writes[i] as number);
  }

  /** Marks all that copies lead to, the one way or the other, from what is marked; nothing that is barred. */
  private spread(
    isMarked: boolean[],
    source: number,
    target: number,
    isBarred: readonly boolean[] = [],
  ): void {
    const { copies } = this;
    if (copies.length === 0) return;
    const targets = new Map<number, number[]>();
    for (let i = 0; i < copies.length; i += FIELDS) {
      const local = copies[i + source] as number;
      const known = targets.get(local);
      if (known) known.push(copies[i + target] as number);
      else targets.set(local, [copies[i + target] as number]);
    }
    const pending = [...targets.keys()].filter((local) => isMarked[local]);
    for (let local = pending.pop(); local !== undefined; local = pending.pop()) {
      for (const next of targets.get(local) ?? []) {
        if (isMarked[next] || isBarred[next]) continue;
        isMarked[next] = true;
        pending.push(next);
      }
    }
  }
}
