import { type Right, rightsOf } from "./rights.js";
import type { Stream } from "./standard-streams.js";
import { SystemError } from "./system-error.js";

export interface Descriptor {
  readonly stream: Stream;
  rights: bigint;
}

const ALWAYS = ["fd_filestat_get", "poll_fd_readwrite"] as const satisfies Right[];

/** The descriptors of one run: stdin, stdout and stderr, and never another. */
export class Descriptors {
  readonly #open: Map<number, Descriptor>;

  constructor(stdin: Stream, stdout: Stream, stderr: Stream) {
    const output = rightsOf("fd_write", ...ALWAYS);
    this.#open = new Map([
      [0, { stream: stdin, rights: rightsOf("fd_read", ...ALWAYS) }],
      [1, { stream: stdout, rights: output }],
      [2, { stream: stderr, rights: output }],
    ]);
  }

  /** @throws SystemError `badf` where it is not open, `notcapable` where it lacks one of the rights */
  get(fd: number, ...rights: Right[]): Descriptor {
    const descriptor = this.#open.get(fd);
    if (descriptor === undefined) throw SystemError.of("badf");
    const needed = rightsOf(...rights);
    if ((descriptor.rights & needed) !== needed) throw SystemError.of("notcapable");
    return descriptor;
  }

  close(fd: number): void {
    this.get(fd);
    this.#open.delete(fd);
  }

  /** Gives what is open as `from` the number `to`, in place of what had it. */
  renumber(from: number, to: number): void {
    this.get(to);
    const descriptor = this.get(from);
    this.#open.delete(from);
    this.#open.set(to, descriptor);
  }
}
