import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "#src/hooks/outcome";
import { MAIN } from "../support/cli.js";
import { callOf } from "./expected.js";
import type { Figures } from "./figures.js";

const REPORT_USAGE = fileURLToPath(new URL("./report-usage.cjs", import.meta.url));
/** One that is killed by it hangs. */
const PATIENCE_MS = 60_000;

/** How the command line ended that was given one guest. */
export interface CliRun extends Figures {
  exitCode: number | null;
  stderr: string;
  /** The code of the guest's error, wherever it was told; `ok` where there was none. */
  ended: string;
  /** What was said of it. */
  said: string;
  outcome?: Outcome;
}

/** Runs one event for `tool` through a config file, by the command line in a process of its own. */
export async function throughCli(config: string, tool: string): Promise<CliRun> {
  const start = performance.now();
  const args = ["--require", REPORT_USAGE, MAIN, "run", "--json", "--config", config];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  const texts = ["", "", "", ""];
  for (const fd of [1, 2, 3] as const) {
    child.stdio[fd]?.on("data", (chunk: Buffer) => {
      texts[fd] += chunk.toString("utf8");
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(callOf(tool)));
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const milliseconds = performance.now() - start;
  const [, stdout = "", stderr = "", usage = ""] = texts;
  const figures = { exitCode: child.exitCode, stderr, milliseconds, ...usageOf(usage) };
  if (stdout === "") return { ...figures, ...toldOnStderr(stderr) };
  const outcome = JSON.parse(stdout) as Outcome;
  const run = outcome.runs[0];
  return {
    ...figures,
    outcome,
    ended: run?.error?.code ?? "ok",
    said: run?.error?.message ?? "",
    fuel: run?.fuel,
  };
}

/** A process that crashed has told nothing. */
function usageOf(told: string): { cpuMilliseconds: number; peakBytes: number } {
  return told === "" ? { cpuMilliseconds: Infinity, peakBytes: Infinity } : JSON.parse(told);
}

function toldOnStderr(stderr: string): { ended: string; said: string } {
  const [, said = stderr, ended = "nothing told"] = /^(.*) \[([a-z-]+)\]$/m.exec(stderr) ?? [];
  return { ended, said };
}
