/** In place of a block or a junction: there is none. */
export const NONE = -1;
/** The junction where a function is entered and left. */
export const OUTSIDE = 0;

/** In place of units: no way from here leaves the function. */
const NEVER = 0x7fff_ffff;

/** More than any code needs whose loops are not nested to no purpose. */
const MAX_PASSES = 40;

/** Fields of a block; its cost comes first. */
const FROM = 1;
const TO = 2;
const FIELDS = 3;

/**
 * The blocks of one function's code, and what each costs. A block leads from one junction to another: what goes to
 * the same block, or comes from the same, is one junction.
 */
export class BlockGraph {
  private count = 0;
  private junctions = 0;
  /** of each block: its cost, the junction before it, the junction after it */
  private blocks = new Int32Array(256 * FIELDS);
  /** of each junction, the one that it was joined to, or itself */
  private joined = new Int32Array(256);
  private ahead = new Int32Array(256);

  /** Starts a function. */
  clear(): void {
    this.count = this.junctions = 0;
    this.junction();
  }

  junction(): number {
    if (this.junctions === this.joined.length) {
      this.joined = grown(this.joined);
      this.ahead = grown(this.ahead);
    }
    this.joined[this.junctions] = this.junctions;
    return this.junctions++;
  }

  block(from: number): number {
    const at = this.count * FIELDS;
    if (at === this.blocks.length) this.blocks = grown(this.blocks);
    const { blocks } = this;
    blocks[at] = 0;
    blocks[at + FROM] = from;
    blocks[at + TO] = NONE;
    return this.count++;
  }

  spend(block: number, units: number): void {
    (this.blocks[block * FIELDS] as number) += units;
  }

  /** Says where control goes from a block; what ends in a trap goes nowhere. */
  lead(block: number, junction: number): void {
    const at = block * FIELDS + TO;
    const to = this.blocks[at] as number;
    this.blocks[at] = to === NONE ? junction : this.join(to, junction);
  }

  /** Makes two junctions one, and returns it. */
  join(a: number, b: number): number {
    const first = this.find(a);
    const second = this.find(b);
    // OUTSIDE is the least, and stays what it is.
    const least = Math.min(first, second);
    this.joined[Math.max(first, second)] = least;
    return least;
  }

  /**
   * Settles what each block has to charge: what it costs, and what is paid ahead where it leads to, less what was paid ahead
   * where it comes from. So what is charged on a way through the function is what that way costs; and what is paid
   * ahead at a junction is the cost of the cheapest way that leaves the function from there, which each has to pay
   * that ends neither in a trap nor never. Of the blocks after a junction one at least has then nothing to charge.
   */
  settle(): void {
    const { count, blocks, ahead } = this;
    const end = count * FIELDS;
    // What costs nothing has to charge nothing: as much is paid ahead on either side of it.
    for (let at = 0; at < end; at += FIELDS) {
      if (blocks[at] !== 0 || blocks[at + TO] === NONE) continue;
      this.join(blocks[at + FROM] as number, blocks[at + TO] as number);
    }
    for (let at = 0; at < end; at += FIELDS) {
      blocks[at + FROM] = this.find(blocks[at + FROM] as number);
      if (blocks[at + TO] !== NONE) blocks[at + TO] = this.find(blocks[at + TO] as number);
    }
    if (!this.payAhead()) ahead.fill(0, 0, this.junctions);
    for (let at = 0; at < end; at += FIELDS) {
      const charge =
        (blocks[at] as number) +
        this.paid(blocks[at + TO] as number) -
        this.paid(blocks[at + FROM] as number);
      // It is less than nothing where only a trap or an endless loop follows, which may be charged too much.
      blocks[at] = Math.max(charge, 0);
    }
  }

  /** What a block has to charge, once that is settled. */
  charge(block: number): number {
    return this.blocks[block * FIELDS] as number;
  }

  /** Finds the cost of the cheapest way from each junction. Returns false if that takes too long. */
  private payAhead(): boolean {
    const { count, blocks, ahead } = this;
    ahead.fill(NEVER, 0, this.junctions);
    ahead[OUTSIDE] = 0;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      let isSettled = true;
      for (let at = (count - 1) * FIELDS; at >= 0; at -= FIELDS) {
        const next = blocks[at + TO] as number;
        if (next === NONE || ahead[next] === NEVER) continue;
        const way = (blocks[at] as number) + (ahead[next] as number);
        const from = blocks[at + FROM] as number;
        if (way >= (ahead[from] as number)) continue;
        ahead[from] = way;
        isSettled = false;
      }
      if (isSettled) return true;
    }
    return false;
  }

  private paid(junction: number): number {
    const units = junction === NONE ? NEVER : (this.ahead[junction] as number);
    return units === NEVER ? 0 : units;
  }

  private find(junction: number): number {
    const { joined } = this;
    let found = junction;
    while (joined[found] !== found) {
      joined[found] = joined[joined[found] as number] as number;
      found = joined[found] as number;
    }
    return found;
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
