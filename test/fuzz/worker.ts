import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { WORKER_STACK_MIB } from "#src/sandbox/node-worker";
import { BothLinkings } from "./both-linkings.js";
import { check, Finding } from "./check.js";
import { input } from "./mutate.js";

// A process that tries inputs, one after the other, until it is told to end. Each is in a file while it is tried.

const CPU_MS = 2_000;
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Of those that are accepted, one in so many is linked by the transpiler too, which takes its time. */
const COMPARED = 8;

/** What a process is to try: the inputs `first`, `first + step`, and so on, `count` of them. */
export interface Task {
  seedFolder: string;
  /** Where the input stands that is tried now. */
  file: string;
  seed: number;
  first: number;
  step: number;
  count: number;
}

/** What is said of each input, or once of all. */
export type Said =
  | { index: number; finding: string; base64: string }
  | { next: number; outcomes: Record<string, number> };

async function tryAll(task: Task, say: (said: Said) => void): Promise<void> {
  const { seedFolder, file, seed, first, step, count } = task;
  const names = readdirSync(seedFolder).sort();
  const seeds = names.map((name) => Uint8Array.from(readFileSync(join(seedFolder, name))));
  const both = new BothLinkings();
  const outcomes: Record<string, number> = {};
  const add = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  for (let index = first; index < first + step * count; index += step) {
    const bytes = input(seeds, seed, index);
    writeFileSync(file, bytes);
    let stage = "";
    const before = { cpu: process.cpuUsage(), kilobytes: process.resourceUsage().maxRSS };
    try {
      const checked = check(bytes, (name) => {
        stage = name;
      });
      add(checked.outcome);
      const cpu = process.cpuUsage(before.cpu);
      const cpuMs = (cpu.user + cpu.system) / 1000;
      if (cpuMs > CPU_MS) throw new Finding(`it took ${cpuMs.toFixed(0)} ms of a processor`);
      const grown = (process.resourceUsage().maxRSS - before.kilobytes) * 1024;
      if (grown > MEMORY_BYTES) throw new Finding(`it took ${grown} bytes of memory`);
      if (checked.report !== undefined && index % COMPARED === 0) {
        stage = "both linkings";
        if (await both.compare(bytes, checked)) add("the same by both linkings");
      }
    } catch (error) {
      const what = error instanceof Finding ? error.message : `it threw ${(error as Error).stack}`;
      say({ index, finding: `${stage}: ${what}`, base64: Buffer.from(bytes).toString("base64") });
    }
  }
  say({ next: first + step * count, outcomes });
}

if (isMainThread) {
  // A thread with a guest's stack, so that calls are nested as deep as they may be.
  process.on("message", (task: Task) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      resourceLimits: { stackSizeMb: WORKER_STACK_MIB, maxOldGenerationSizeMb: 512 },
    });
    worker.on("message", (said: Said) => process.send?.(said));
    worker.on("error", (error) => {
      throw error;
    });
  });
  process.on("disconnect", () => process.exit());
} else {
  await tryAll(workerData as Task, (said) => parentPort?.postMessage(said));
}
