import { type ChildProcess, spawn } from "node:child_process";
import { aborted } from "../../cut-short.js";
import { commandFailed } from "../../dialects/reading.js";
import type { WasmhookError } from "../../errors.js";
import { type ProgramOutput, STDERR_LIMIT_BYTES } from "../../hooks/program-output.js";
import { Capture } from "../../sandbox/capture.js";
import * as failures from "./failures.js";
import { endGroup, leaderExited, trackGroup } from "./group.js";
import { ownTurn } from "./own-turn.js";
import { closeAll, connect, takePipes } from "./pipes.js";

/** More than this on stdout is a failure. */
export const STDOUT_LIMIT_BYTES = 1024 * 1024;

/** The longest delay of a timer: about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CommandCall {
  /** The program and arguments that take the command line as their last argument, such as `["sh", "-c"]`. */
  shell: readonly [file: string, ...args: string[]];
  command: string;
  /** Absolute path of the working directory. */
  cwd: string;
  /** Added to the environment of this process. */
  env: Readonly<Record<string, string>>;
  /** Written as UTF-8, then closed. A command need not read it. */
  stdin: string;
  /** Covers all: the start, stdin, the run, and whatever holds the output open after it. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * How a command exited (any code: what a code means is the dialect's business), or why it gave no answer:
 * `deadline`, `aborted`, `output-too-large`, `bad-output`, `command-failed` (killed by a signal) or
 * `command-not-started`. `stdout` is strict UTF-8 after exit code 0; after any other code the code is the
 * answer, and `stdout` and `stderr` are for people: U+FFFD stands for what is not UTF-8.
 */
export type CommandResult = { durationMs: number } & (ProgramOutput | { failure: WasmhookError });

export interface RunningCommand {
  /** Never rejects, and is there by the deadline whatever the command does. */
  result: Promise<CommandResult>;
  /** Resolves once no process of the command's group is left, which may be shortly after the result. */
  ended: Promise<void>;
  /** Ends the command as its `signal` would. */
  abort(): void;
}

/**
 * Starts a command in a session and process group of its own, without a terminal (POSIX systems only).
 *
 * The answer is complete when the shell has exited and its output is closed. A process in the background
 * that keeps the output open may still write a part of the answer, so it is waited for, up to the deadline: then
 * a command that exited with 0 has failed, and one that exited with another code has said all by that code.
 * With the result, whatever it is, the whole group is ended: SIGTERM, and SIGKILL after `TERM_GRACE_MS`. So
 * a background process does not outlive its command, unless it moved to a session or group of its own
 * (`setsid`, job control): that one cannot be found, and never delays the result beyond the deadline.
 *
 * stdin, stdout and stderr are pipes; where {@link takePipes} has none on Linux they are sockets, and a command
 * that opens `/dev/stdin` or its kin by name fails.
 */
export function startCommand(call: CommandCall): RunningCommand {
  const startedMs = performance.now();
  const stdout = new Capture(STDOUT_LIMIT_BYTES);
  const stderr = new Capture(STDERR_LIMIT_BYTES);
  const result = deferred<CommandResult>();
  const ended = deferred<void>();
  let child: ChildProcess | undefined;
  let streams: Streams | undefined;
  let finished = false;

  const finish = (outcome: ProgramOutput | { failure: WasmhookError }): void => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", abort);
    for (const stream of [streams?.stdin, streams?.stdout, streams?.stderr]) stream?.destroy();
    // A command that took another user's rights cannot be killed; this process shall end without it.
    child?.unref();
    result.resolve({ durationMs: performance.now() - startedMs, ...outcome });
    ended.resolve(child?.pid === undefined ? undefined : endGroup(child.pid));
  };
  const fail = (failure: WasmhookError): void => finish({ failure });
  const abort = (): void => fail(aborted());
  const failStart = (cause: Error): void => {
    void failures.notStarted(cause, call.shell[0], call.cwd).then(fail);
  };
  // Armed before the start, so that the time that the start takes counts.
  const timer = setTimeout(
    () => cutOff(failures.deadlinePassed(call.timeoutMs, typeof child?.exitCode === "number")),
    Math.min(call.timeoutMs, MAX_TIMER_MS),
  );
  const running = { result: result.promise, ended: ended.promise, abort };

  if (call.signal?.aborted) {
    abort();
    return running;
  }
  call.signal?.addEventListener("abort", abort);
  void takePipes().then(async (pipes) => {
    await ownTurn();
    if (finished) return closeAll(pipes?.ours, pipes?.theirs);
    try {
      if (pipes !== undefined) streams = connect(pipes.ours);
      child = spawnShell(call, pipes?.theirs);
      streams ??= child;
      follow(child, streams);
    } catch (cause) {
      failStart(cause as Error);
    } finally {
      closeAll(pipes?.theirs);
    }
  });
  return running;

  function follow(child: ChildProcess, { stdin, stdout: out, stderr: err }: Streams): void {
    child.on("error", failStart);
    const { pid } = child;
    if (pid === undefined) return;
    trackGroup(pid);

    out?.on("error", (cause) => fail(failures.outputUnreadable(cause)));
    err?.on("error", (cause) => fail(failures.outputUnreadable(cause)));
    out?.on("data", (chunk: Buffer) => {
      stdout.add(chunk);
      if (stdout.overflowed) cutOff(failures.outputTooLarge(STDOUT_LIMIT_BYTES));
    });
    err?.on("data", (chunk: Buffer) => stderr.add(chunk));
    // EPIPE: the command did not want all of its stdin, which is its right.
    stdin?.on("error", () => {});
    stdin?.end(call.stdin);

    let open = 3;
    const closed = (): void => {
      open -= 1;
      if (open === 0) conclude(child.exitCode, child.signalCode);
    };
    out?.once("close", closed);
    err?.once("close", closed);
    child.once("exit", () => {
      leaderExited(pid);
      closed();
    });
  }

  /** Ends the wait for more output. What another process writes cannot take back a code that refuses. */
  function cutOff(failure: WasmhookError): void {
    const exitCode = child?.exitCode ?? 0;
    if (exitCode > 0) conclude(exitCode, null);
    else fail(failure);
  }

  function conclude(exitCode: number | null, signal: string | null): void {
    const text = exitCode === 0 ? stdout.strictText() : stdout.text();
    if (exitCode === null) fail(commandFailed({ exitCode, signal, stderr: stderr.text() }));
    else if (text === undefined) fail(failures.outputNotUtf8());
    else finish({ exitCode, stdout: text, stderr: stderr.text() });
  }
}

type Streams = Pick<ChildProcess, "stdin" | "stdout" | "stderr">;

function spawnShell(call: CommandCall, stdio: readonly number[] | undefined): ChildProcess {
  const [file, ...args] = call.shell;
  return spawn(file, [...args, call.command], {
    cwd: call.cwd,
    env: { ...process.env, ...call.env },
    stdio: stdio === undefined ? "pipe" : [...stdio],
    // setsid: a group that can be killed as a whole, and no terminal to wait at.
    detached: true,
  });
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T | Promise<T>) => void } {
  let resolve: (value: T | Promise<T>) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
