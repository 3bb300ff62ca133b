import { FirstCharacters } from "./first-characters";
import { FIRST, Secret, secretAt } from "./secret";

/** Takes secrets out of texts, and counts them. */
export class Redactor {
  count: i32 = 0;
  private readonly firsts: FirstCharacters = new FirstCharacters(FIRST);

  /** @param literals strings that are secrets wherever they stand */
  constructor(private readonly literals: string[]) {
    // The longest first: one that begins with another is then found as a whole.
    literals.sort((a, b) => b.length - a.length);
    for (let i = 0; i < literals.length; i++) this.firsts.add(literals[i].charCodeAt(0));
  }

  /** The text without its secrets, or `null` where it has none. */
  redact(text: string): string | null {
    const parts: string[] = [];
    let kept = 0;
    let index = this.firsts.next(text, 0);
    while (index < text.length) {
      const secret = this.find(text, index);
      if (secret === null) {
        index = this.firsts.next(text, index + 1);
        continue;
      }
      parts.push(text.substring(kept, secret.start));
      parts.push(`[redacted ${secret.name}]`);
      this.count++;
      kept = secret.end;
      index = this.firsts.next(text, kept);
    }
    if (kept == 0) return null;
    parts.push(text.substring(kept));
    return parts.join("");
  }

  private find(text: string, index: i32): Secret | null {
    for (let i = 0; i < this.literals.length; i++) {
      const literal = this.literals[i];
      if (text.charCodeAt(index) == literal.charCodeAt(0) && text.startsWith(literal, index)) {
        return new Secret(index, index + literal.length, "secret");
      }
    }
    return secretAt(text, index);
  }
}
