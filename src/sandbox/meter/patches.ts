const FIELDS = 2;

/** Bytes of the code that are others in the metered module, in the order of the code: indices of one byte. */
export class PatchList {
  count = 0;
  private fields = new Int32Array(FIELDS * 4096);

  push(offset: number, value: number): void {
    const at = this.count++ * FIELDS;
    if (at === this.fields.length) {
      const grown = new Int32Array(this.fields.length * 2);
      grown.set(this.fields);
      this.fields = grown;
    }
    this.fields[at] = offset;
    this.fields[at + 1] = value;
  }

  /** The offset of the byte; beyond all code after the last patch. */
  offset(patch: number): number {
    return patch < this.count ? (this.fields[patch * FIELDS] as number) : Number.POSITIVE_INFINITY;
  }

  value(patch: number): number {
    return this.fields[patch * FIELDS + 1] as number;
  }
}
