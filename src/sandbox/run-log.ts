import type { LogLine } from "../hooks/outcome.js";
import { utf8Bytes } from "../hooks/utf8-bytes.js";

/** Lines of one run, whatever their length. */
export const LOG_LINES_LIMIT = 1000;

/** The log of one run: what is over its caps is dropped, and the last line says so. */
export class RunLog {
  readonly #bytesLimit: number;
  readonly #lines: LogLine[] = [];
  #bytesKept = 0;
  #bytesDropped = 0;
  #linesDropped = 0;

  constructor(bytesLimit: number) {
    this.#bytesLimit = bytesLimit;
  }

  /**
   * How many of a message's bytes are to be read for the line that follows; the others count as dropped.
   * Nothing is kept after the first drop, so that the log is the head of what was logged.
   */
  admit(bytes: number): number {
    const kept = this.#isFull ? 0 : Math.min(bytes, this.#bytesLimit - this.#bytesKept);
    this.#bytesKept += kept;
    this.#bytesDropped += bytes - kept;
    return kept;
  }

  add(line: LogLine): void {
    if (this.#isFull || (line.message === "" && this.#bytesDropped > 0)) this.#linesDropped++;
    else this.#lines.push(line);
  }

  /** Adds a text that was admitted before, a line for each of its lines. */
  addText(text: string, level: LogLine["level"]): void {
    let start = 0;
    while (start < text.length && !this.#isFull) {
      const end = text.indexOf("\n", start);
      const message = text.slice(start, end === -1 ? text.length : end);
      this.#lines.push({ level, message });
      start += message.length + 1;
    }
    this.#bytesDropped += utf8Bytes(text.slice(start));
  }

  lines(): LogLine[] {
    if (this.#bytesDropped === 0 && this.#linesDropped === 0) return this.#lines;
    const caps = `${this.#bytesLimit} bytes (its "logs" limit) and ${LOG_LINES_LIMIT} lines`;
    const message = `the rest of this log was dropped (${this.#bytesDropped} bytes): it may hold ${caps}`;
    return [...this.#lines, { level: "warn", message }];
  }

  get #isFull(): boolean {
    return this.#lines.length === LOG_LINES_LIMIT;
  }
}
