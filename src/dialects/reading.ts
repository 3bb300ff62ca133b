import { WasmhookError } from "../errors.js";
import type { Notice } from "../hooks/outcome.js";
import type { CommandOutput, Reading } from "./dialect.js";

/** Room for a whole stack trace, of which the first lines often say the most. */
const STDERR_SHOWN = 2000;

/** A command that ended with an exit code that means failure. The end of its stderr says why. */
export function commandFailed({ exitCode, stderr }: CommandOutput): WasmhookError<"command-failed"> {
  const said = stderr.trim().slice(-STDERR_SHOWN);
  const message = `the command exited with ${exitCode}${said === "" ? " and said nothing on stderr" : `: ${said}`}`;
  return new WasmhookError("command-failed", message, { exitCode, signal: null, stderr: said });
}

/** Tells the user which parts of a decision had no effect. */
export function ignoredNotices(ignored: readonly string[]): Omit<Notice, "hook">[] {
  return ignored.map((text) => ({ kind: "warning", text: `${text}: it had no effect` }));
}

/** A decision that cannot be read is a failed hook, not an exception. */
export function readOrFail(read: () => Reading): Reading {
  try {
    return read();
  } catch (error) {
    if (error instanceof WasmhookError) return { failure: error };
    throw error;
  }
}
