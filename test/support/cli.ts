import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Outcome } from "#src/hooks/outcome";

/** The program as it ships. */
export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Longer than any program of a test takes: one that is killed by it hangs. */
const PATIENCE_MS = 25_000;

/** How a program ended that was run to its end. */
export interface Ended {
  /** `null` where it was killed. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  /** Written and closed; `undefined` leaves stdin open and silent until the program has ended. */
  stdin?: string | Uint8Array | undefined;
  cwd?: string;
  /** Added to the environment of the tests; `undefined` takes a variable out of it. */
  env?: Record<string, string | undefined>;
  /** Called once it has been started. */
  started?(child: ChildProcess): void;
}

export async function program(file: string, args: string[], options: ProgramOptions = {}): Promise<Ended> {
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...options.env },
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  const ended: Ended = { exitCode: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      ended[name] += text;
    });
  }
  // EPIPE: the program need not read all of it.
  child.stdin.on("error", () => {});
  if (options.stdin !== undefined) child.stdin.end(options.stdin);
  options.started?.(child);
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  child.stdin.destroy();
  return { ...ended, exitCode: child.exitCode };
}

/** Runs the command line to its end. */
export function wasmhook(args: string[], options: ProgramOptions = { stdin: "" }): Promise<Ended> {
  return program(process.execPath, [MAIN, ...args], options);
}

const PTY = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))`;

/** The same with a terminal for its stdin, stdout and stderr, by way of Python; what it wrote is in `stdout`. */
export async function wasmhookOnTerminal(
  args: string[],
  options: Omit<ProgramOptions, "stdin"> = {},
): Promise<Ended> {
  const python = ["-c", PTY, process.execPath, MAIN, ...args];
  const ended = await program("python3", python, { ...options, stdin: "" });
  return { ...ended, stdout: ended.stdout.replaceAll("\r\n", "\n") };
}

export interface EventRun extends Ended {
  /** What was printed as JSON. */
  outcome: Outcome;
}

/** Runs one event through a config file, and reads the outcome off stdout. */
export async function runEvent(
  config: string,
  event: object,
  options: Omit<ProgramOptions, "stdin"> = {},
): Promise<EventRun> {
  const ended = await wasmhook(["run", "--config", config, "--json"], {
    ...options,
    stdin: JSON.stringify(event),
  });
  if (ended.stdout === "") throw new Error(`no outcome, exit code ${ended.exitCode}: ${ended.stderr}`);
  return { ...ended, outcome: JSON.parse(ended.stdout) as Outcome };
}

const made: string[] = [];
afterAll(() => Promise.all(made.map((directory) => rm(directory, { recursive: true, force: true }))));

/** A new directory with these files, until the test file has ended. A text that starts with `#!` is made executable. */
export async function folder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "wasmhook-e2e-")));
  made.push(directory);
  for (const [name, contents] of Object.entries(files)) {
    const file = join(directory, name);
    await mkdir(dirname(file), { recursive: true });
    const executable = typeof contents === "string" && contents.startsWith("#!");
    await writeFile(file, contents, { mode: executable ? 0o755 : 0o644 });
  }
  return directory;
}
