/**
 * The error numbers that are given here.
 * Source: https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/witx/typenames.witx
 */
export const Errno = {
  success: 0,
  badf: 8,
  fault: 21,
  inval: 28,
  nosys: 52,
  notsock: 57,
  notcapable: 76,
} as const;

export type ErrnoName = keyof typeof Errno;

/** What a function gives the guest in place of a result. */
export class SystemError extends Error {
  override readonly name = "SystemError";
  readonly errno: number;

  private constructor(errno: ErrnoName) {
    super(errno);
    this.errno = Errno[errno];
  }

  /** Always the same one for a name: to make one takes longer than a guest pays for. */
  static of(errno: ErrnoName): SystemError {
    const error = SystemError.#made.get(errno) ?? new SystemError(errno);
    SystemError.#made.set(errno, error);
    return error;
  }

  static readonly #made = new Map<ErrnoName, SystemError>();
}
