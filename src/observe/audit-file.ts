import { constants } from "node:fs";
import { open, rename, stat } from "node:fs/promises";

/** Only its user may read what hooks saw. */
const MODE = 0o600;
/** Lines that wait to be written; what comes on top of them is lost. */
const MOST_PENDING = 10_000;

/**
 * A file that is only appended to, line by line and in order; once it is over its size it becomes `FILE.1`, in place of
 * the one before. Several processes may append to the same one: each line is written at once.
 */
export class AuditFile {
  readonly #file: string;
  readonly #limitBytes: number;
  readonly #onFault: (cause: string) => void;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;
  #isFaulty = false;

  /** @param onFault is told the first time that a line cannot be written */
  constructor(file: string, limitBytes: number, onFault: (cause: string) => void) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.#onFault = onFault;
  }

  append(line: string): void {
    if (this.#pending.length === MOST_PENDING) {
      this.#fault(`it does not keep up with ${MOST_PENDING} lines`);
      return;
    }
    this.#pending.push(`${line}\n`);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all that was appended is written. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const text = this.#pending.splice(0).join("");
      try {
        await this.#rotate(Buffer.byteLength(text));
        await this.#write(text);
      } catch (error) {
        this.#fault(error instanceof Error ? error.message : String(error));
      }
    }
  }

  #fault(cause: string): void {
    if (!this.#isFaulty) this.#onFault(cause);
    this.#isFaulty = true;
  }

  async #rotate(moreBytes: number): Promise<void> {
    const size = await stat(this.#file).then(
      ({ size }) => size,
      () => 0,
    );
    if (size === 0 || size + moreBytes <= this.#limitBytes) return;
    await rename(this.#file, `${this.#file}.1`).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== "ENOENT") throw error;
    });
  }

  async #write(text: string): Promise<void> {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const handle = await open(this.#file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, MODE);
    try {
      // One that was there already may be open to others.
      await handle.chmod(MODE);
      await handle.appendFile(text);
    } finally {
      await handle.close();
    }
  }
}
