import { stat } from "node:fs/promises";
import { WasmhookError } from "../../errors.js";

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

/** What the system says of itself: nothing is wrong with the command. */
const WANTING = new Map([
  ["EAGAIN", "processes"],
  ["EMFILE", "file descriptors"],
  ["ENFILE", "file descriptors"],
  ["ENOMEM", "memory"],
]);

/** Says in words of our own what kept a command from starting, and what to do. */
export async function notStarted(
  { code = "unknown error", message }: NodeJS.ErrnoException,
  shell: string,
  cwd: string,
): Promise<WasmhookError> {
  const reason = await reasonOf(code, shell, cwd);
  return new WasmhookError("command-not-started", `the command was not started, ${reason}`, {
    cause: message,
  });
}

async function reasonOf(code: string, shell: string, cwd: string): Promise<string> {
  const wanting = WANTING.get(code);
  if (wanting !== undefined) {
    return `there are no more ${wanting} to be had (${code}): run the event again when there are`;
  }
  if (code === "E2BIG") {
    return "its command line and variables are longer than the system takes (E2BIG): shorten the command, or the event's fields that become variables";
  }
  if (code === "ERR_INVALID_ARG_VALUE") {
    return "its command line, its directory or a variable has a null character: remove that from the config file or the event";
  }
  const directory = await stat(cwd).catch(() => undefined);
  if (!directory?.isDirectory()) return `there is no directory ${cwd}: correct the event's cwd`;
  if (code === "ENOENT") return `there is no shell ${shell}: install it or put it on the PATH`;
  if (code === "EACCES") return `${shell} may not be run in ${cwd} (EACCES): correct the rights of either`;
  return `the system refuses to start ${shell} in ${cwd} (${code}): see what that means on this system`;
}
