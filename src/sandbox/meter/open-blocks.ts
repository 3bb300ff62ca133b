/** The heights of the operand stack at the open blocks of one function. */
export class OpenBlocks {
  private depth = 0;
  private readonly kinds: number[] = [];
  private readonly bases: number[] = [];
  private readonly params: number[] = [];
  private readonly results: number[] = [];

  /** Forgets all blocks. */
  enter(): void {
    this.depth = 0;
  }

  open(kind: number, height: number, params: number, results: number): void {
    const { depth } = this;
    this.kinds[depth] = kind;
    this.bases[depth] = height - params;
    this.params[depth] = params;
    this.results[depth] = results;
    this.depth++;
  }

  /** Closes the innermost block. Returns the height after it. */
  close(): number {
    const depth = --this.depth;
    return (this.bases[depth] as number) + (this.results[depth] as number);
  }

  /** The kind of the innermost block, 0 for the function itself. */
  get kind(): number {
    return this.kinds[this.depth - 1] ?? 0;
  }

  set kind(kind: number) {
    this.kinds[this.depth - 1] = kind;
  }

  /** The height below the innermost block's parameters. */
  get base(): number {
    return this.bases[this.depth - 1] ?? 0;
  }

  /** The height at the start of the innermost block. */
  get startHeight(): number {
    return this.base + (this.params[this.depth - 1] ?? 0);
  }
}
