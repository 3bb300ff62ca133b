/** How a program ended that ended by itself: a command, or a WASI module that is run like one. */
export interface ProgramOutput {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** For messages; a command, unless it is given. */
  program?: "command" | "module";
}

/** What is beyond this on a program's stderr is dropped. */
export const STDERR_LIMIT_BYTES = 64 * 1024;
