/** Characters that something can begin with, to get past all others of a long text cheaply. */
export class FirstCharacters {
  // One bit for each character below 64, and for each from 64 to 127; one for all above.
  private low: u64 = 0;
  private high: u64 = 0;
  private others: bool = false;

  constructor(characters: string) {
    for (let i = 0; i < characters.length; i++) this.add(characters.charCodeAt(i));
  }

  add(char: i32): void {
    if (char >= 128) this.others = true;
    else if (char >= 64) this.high |= (1 as u64) << (char & 63);
    else this.low |= (1 as u64) << char;
  }

  /** The index of the next such character, or the length of the text. */
  next(text: string, from: i32): i32 {
    const low = this.low;
    const high = this.high;
    const start = changetype<usize>(text);
    const end = start + (<usize>text.length << 1);
    let at = start + (<usize>from << 1);
    while (at < end) {
      const char = load<u16>(at);
      if (char < 128 ? ((char < 64 ? low : high) >> (char & 63)) & 1 : this.others) break;
      at += 2;
    }
    return <i32>((at - start) >> 1);
  }
}
