import { WasmhookError } from "../errors.js";
import type { Moment } from "../hooks/event.js";
import type { Notice } from "../hooks/outcome.js";
import { parseDecision } from "../hooks/parse-decision.js";
import type { ProgramOutput } from "../hooks/program-output.js";
import type { Reading } from "./dialect.js";

/** Room for a whole stack trace, of which the first lines often say the most. */
const STDERR_SHOWN = 2000;

type FailedProgram = Omit<ProgramOutput, "stdout" | "exitCode"> & {
  exitCode: number | null;
  /** Where there is no exit code. */
  signal?: string | null;
};

/** A program that ended with an exit code that means failure, or by a signal. The end of its stderr says why. */
export function commandFailed({
  exitCode,
  signal = null,
  stderr,
  program = "command",
}: FailedProgram): WasmhookError<"command-failed"> {
  const said = stderr.trim().slice(-STDERR_SHOWN);
  const ended = exitCode === null ? `was killed by ${signal}` : `exited with ${exitCode}`;
  const message = `the ${program} ${ended}${said === "" ? " and said nothing on stderr" : `: ${said}`}`;
  return new WasmhookError("command-failed", message, { exitCode, signal, stderr: said });
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

/** What a hook said in the canonical spelling, be it a command's output or a module's. */
export function readDecision(text: string, moment: Moment): Reading {
  return readOrFail(() => {
    const { decision, ignored } = parseDecision(text, moment);
    return { decision, notices: ignoredNotices(ignored) };
  });
}
