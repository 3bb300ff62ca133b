import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect } from "vitest";
import { closeSparePipes } from "#src/runners/command/pipes";
import { type CommandCall, type CommandResult, startCommand } from "#src/runners/command/run";

/** What a test reads when it waits for something: far longer than it takes, far shorter than `sleep 100`. */
const PATIENCE_MS = 10_000;

/** A working directory of each test's own. */
export let cwd = "";
const leftBehind: number[] = [];

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "wasmhook-command-"));
});

afterEach(() => {
  for (const pid of leftBehind.splice(0)) process.kill(pid, "SIGKILL");
  rmSync(cwd, { recursive: true, force: true });
});

/** For a process that a test shows to survive: it ends with the test. */
export function killAfterTest(pid: number): void {
  leftBehind.push(pid);
}

export function call(command: string, changes: Partial<CommandCall> = {}): CommandCall {
  return { shell: ["sh", "-c"], command, cwd, env: {}, stdin: "", timeoutMs: 20_000, ...changes };
}

/** Runs a command and waits until its group is gone. */
export async function runToEnd(command: string, changes: Partial<CommandCall> = {}): Promise<CommandResult> {
  const running = startCommand(call(command, changes));
  const result = await running.result;
  await running.ended;
  return result;
}

export function exited(result: CommandResult): { exitCode: number; stdout: string; stderr: string } {
  if ("failure" in result) throw result.failure;
  const { exitCode, stdout, stderr } = result;
  return { exitCode, stdout, stderr };
}

export function failed(result: CommandResult): { code: string; message: string; data: unknown } {
  if (!("failure" in result)) throw new Error(`no failure: ${JSON.stringify(result)}`);
  const { code, message, data } = result.failure;
  return { code, message, data };
}

/** The process ids that a command wrote into a file of its working directory. */
export function pidsIn(file: string): number[] {
  const pids = readFileSync(join(cwd, file), "utf8").trim().split(/\s+/).map(Number);
  expect(pids.every((pid) => pid > 1)).toBe(true);
  return pids;
}

/** A zombie of ours counts as alive: it was not reaped. One that was left to process 1 is not our business. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // proc(5): pid (comm) state ppid
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return state !== "Z" || Number(parent) === process.pid;
  } catch (error) {
    // Alive, and this system has no /proc.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync("/proc/self/stat");
  }
}

export async function expectGone(pids: number[]): Promise<void> {
  await until(() => !pids.some(isAlive), `processes ${pids} are gone`);
}

export function noProcessRuns(): Promise<void> {
  return until(() => !process.getActiveResourcesInfo().includes("ProcessWrap"), "no child process is left");
}

export function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

/** How many files are open, but for pipes that wait for commands to come. */
export async function openFilesAtRest(): Promise<number> {
  await noProcessRuns();
  closeSparePipes();
  return openFiles();
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > giveUp) throw new Error(`waited in vain until ${what}`);
    await sleep(5);
  }
}
