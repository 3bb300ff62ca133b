/** Where a verb writes: its answer to `stdout`, everything else to `stderr`. */
export interface Io {
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean };
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown; isTTY?: boolean };
  /** Whether `stdout` is a terminal that wants colour. */
  color: boolean;
}

/** Go on; this program could not do its job; the hooks refused. Nothing else is ever returned. */
export const EXIT = { ok: 0, failed: 1, refused: 2 } as const;

/** One verb of the command line: its arguments without the verb's name. */
export type Verb = (args: string[], io: Io) => Promise<number>;
