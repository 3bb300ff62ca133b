/** The functions that the code of a module calls by their index. */
export class CallList {
  count = 0;
  private targets = new Int32Array(4096);

  push(target: number): void {
    if (this.count === this.targets.length) {
      const grown = new Int32Array(this.targets.length * 2);
      grown.set(this.targets);
      this.targets = grown;
    }
    this.targets[this.count++] = target;
  }

  target(call: number): number {
    return this.targets[call] as number;
  }
}
