/** In place of a block or a junction: there is none. */
export const NONE = -1;
/** The junction where a function is entered and left. */
export const OUTSIDE = 0;

/** In place of units: no way from here leaves the function. */
const NEVER = 0x7fff_ffff;

/** More than any code needs whose loops are not nested to no purpose. */
const MAX_PASSES = 40;

/**
 * The blocks of one function's code, and what each costs. A block leads from one junction to another: what goes to
 * the same block, or comes from the same, is one junction.
 */
export class BlockGraph {
  private count = 0;
  private junctions = 0;
  private costs = new Int32Array(256);
  private from = new Int32Array(256);
  private to = new Int32Array(256);
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
    if (this.count === this.costs.length) {
      this.costs = grown(this.costs);
      this.from = grown(this.from);
      this.to = grown(this.to);
    }
    this.costs[this.count] = 0;
    this.from[this.count] = from;
    this.to[this.count] = NONE;
    return this.count++;
  }

  spend(block: number, units: number): void {
    (this.costs[block] as number) += units;
  }

  /** Says where control goes from a block; what ends in a trap goes nowhere. */
  lead(block: number, junction: number): void {
    const to = this.to[block] as number;
    this.to[block] = to === NONE ? junction : this.join(to, junction);
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
   * What each block has to charge: what it costs, and what is paid ahead where it leads to, less what was paid ahead
   * where it comes from. So what is charged on a way through the function is what that way costs; and what is paid
   * ahead at a junction is the cost of the cheapest way that leaves the function from there, which each has to pay
   * that ends neither in a trap nor never. Of the blocks after a junction one at least has then nothing to charge.
   */
  charges(): Int32Array {
    const { count, costs, from, to, ahead } = this;
    for (let block = 0; block < count; block++) {
      from[block] = this.find(from[block] as number);
      if (to[block] !== NONE) to[block] = this.find(to[block] as number);
    }
    if (!this.payAhead()) ahead.fill(0, 0, this.junctions);
    for (let block = 0; block < count; block++) {
      const next = to[block] as number;
      const isLost = next === NONE || ahead[next] === NEVER;
      const charge =
        (costs[block] as number) + (isLost ? 0 : (ahead[next] as number)) - paid(ahead, from[block]);
      // It is less than nothing where only a trap or an endless loop follows, which may be charged too much.
      costs[block] = Math.max(charge, 0);
    }
    return costs;
  }

  /** Finds the cost of the cheapest way from each junction. Returns false if that takes too long. */
  private payAhead(): boolean {
    const { count, costs, from, to, ahead } = this;
    ahead.fill(NEVER, 0, this.junctions);
    ahead[OUTSIDE] = 0;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      let isSettled = true;
      for (let block = count - 1; block >= 0; block--) {
        const next = to[block] as number;
        if (next === NONE || ahead[next] === NEVER) continue;
        const way = (costs[block] as number) + (ahead[next] as number);
        if (way >= (ahead[from[block] as number] as number)) continue;
        ahead[from[block] as number] = way;
        isSettled = false;
      }
      if (isSettled) return true;
    }
    return false;
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

function paid(ahead: Int32Array, junction = OUTSIDE): number {
  const units = ahead[junction] as number;
  return units === NEVER ? 0 : units;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
