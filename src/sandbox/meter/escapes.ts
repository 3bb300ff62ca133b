/** No charge: the code must start one of its own. */
export const FRESH = -2;

/**
 * The ways out of frames that are still open, in one function. Each says that after it some runs never come
 * to the code after the frames inside of its target. Kept are only those that can matter: each has a nearer
 * target than the ones before it.
 */
export class Escapes {
  private count = 0;
  private targets = new Int32Array(64);
  private times = new Int32Array(64);
  /** of the code that all of the runs that stay inside have come by since; FRESH if there is no such */
  private charges = new Int32Array(64);
  /** the innermost loop at that place */
  private loops = new Int32Array(64);

  clear(): void {
    this.count = 0;
  }

  add(target: number, time: number, charge: number, loop: number): void {
    this.forgetFrom(target);
    if (this.count === this.targets.length) this.grow();
    const top = this.count++;
    this.targets[top] = target;
    this.times[top] = time;
    this.charges[top] = charge;
    this.loops[top] = loop;
  }

  /** Forgets the ways out to this frame and to those in it. */
  forgetFrom(target: number): void {
    while (this.count > 0 && (this.targets[this.count - 1] as number) >= target) this.count--;
  }

  /** Whether the last one is later than `time`. */
  anySince(time: number): boolean {
    return this.count > 0 && (this.times[this.count - 1] as number) > time;
  }

  /**
   * The charge that the code after a frame belongs to, where `anySince` the frame was opened: none if the
   * end of the frame is also reached by who branched there before, or more often than the code after it is run.
   */
  continuation(frame: number, branchedAt: number): number {
    const top = this.count - 1;
    const isOfSomeWays = branchedAt < (this.times[top] as number);
    const isInLoop = (this.loops[top] as number) >= frame;
    return isOfSomeWays || isInLoop ? FRESH : (this.charges[top] as number);
  }

  /** All runs that stayed inside by the ways out after `since` come together here, in `charge`. */
  adopt(since: number, time: number, charge: number, loop: number): void {
    for (let i = this.count - 1; i >= 0 && (this.times[i] as number) > since; i--) {
      this.times[i] = time;
      this.charges[i] = charge;
      this.loops[i] = loop;
    }
  }

  private grow(): void {
    const more = (old: Int32Array) => {
      const grown = new Int32Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.targets = more(this.targets);
    this.times = more(this.times);
    this.charges = more(this.charges);
    this.loops = more(this.loops);
  }
}
