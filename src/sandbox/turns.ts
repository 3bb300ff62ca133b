/** Lets so many go on at once, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Calls `admit` when its turn has come, which may be at once; whoever was admitted gives the turn back.
   * @returns what leaves the queue before that
   */
  take(admit: () => void): () => void {
    if (this.#free > 0) {
      this.#free--;
      admit();
    } else {
      this.#waiting.push(admit);
    }
    return () => {
      const place = this.#waiting.indexOf(admit);
      if (place >= 0) this.#waiting.splice(place, 1);
    };
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
