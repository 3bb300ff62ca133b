import { stat } from "node:fs/promises";
import { WasmhookError } from "../../errors.js";

const STDERR_SHOWN = 500;

export function deadlinePassed(deadlineMs: number, shellExited: boolean): WasmhookError {
  const message = shellExited
    ? `the command exited, but a process that it left behind still held its output open after ${deadlineMs} ms: ` +
      "wait for that process, or redirect its output with >/dev/null 2>&1"
    : `the command did not end within ${deadlineMs} ms and was killed: make it faster or raise its timeout`;
  return new WasmhookError("deadline", message, { deadlineMs });
}

export function outputTooLarge(limitBytes: number): WasmhookError {
  const message = `the command wrote more than ${limitBytes} bytes to stdout and was killed: print the decision only`;
  return new WasmhookError("output-too-large", message, { outputBytes: limitBytes });
}

export function outputNotUtf8(): WasmhookError {
  const message = "the command's stdout is not UTF-8: print the decision as UTF-8 text";
  return new WasmhookError("bad-output", message, {});
}

export function outputUnreadable(cause: Error): WasmhookError {
  const message = `the command's output could not be read (${cause.message}): run the event again`;
  return new WasmhookError("bad-output", message, {});
}

export function killedBySignal(signal: string, stderr: string): WasmhookError {
  const said = stderr.trim().slice(-STDERR_SHOWN);
  const message = `the command was killed by ${signal}${said === "" ? " and said nothing on stderr" : `: ${said}`}`;
  return new WasmhookError("command-failed", message, { exitCode: null, signal, stderr: said });
}

/** Says which of the two things that a start needs was missing: the directory or the shell. */
export async function notStarted(
  cause: NodeJS.ErrnoException,
  shell: string,
  cwd: string,
): Promise<WasmhookError> {
  const directory = await stat(cwd).catch(() => undefined);
  let reason = `${cause.message}: remove that cause`;
  if (!directory?.isDirectory()) reason = `there is no directory ${cwd}: correct the event's cwd`;
  else if (cause.code === "ENOENT") reason = `there is no shell ${shell}: install it or put it on the PATH`;
  return new WasmhookError("command-not-started", `the command was not started, ${reason}`, {
    cause: cause.message,
  });
}
