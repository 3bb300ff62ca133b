import { readdir, readFile, writeFile } from "node:fs/promises";
import type { Figures } from "./figures.js";

const SAMPLE_MS = 10;

/** What one process has taken. Where the system does not tell, nothing. Source: proc(5). */
interface Taken {
  cpuMilliseconds: number;
  heldBytes: number;
  peakBytes: number;
}

const read = (path: string) => readFile(path, "utf8").catch(() => "");

async function takenBy(pid: number): Promise<Taken> {
  const [status, stat] = await Promise.all([read(`/proc/${pid}/status`), read(`/proc/${pid}/stat`)]);
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
  // User and system time, in hundredths of a second, are the 14th and 15th field.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return { cpuMilliseconds: (user + system) * 10, heldBytes: bytes("VmRSS"), peakBytes: bytes("VmHWM") };
}

/** This process and those that it has started. */
async function processes(): Promise<number[]> {
  const threads = await readdir("/proc/self/task").catch(() => []);
  const lists = await Promise.all(threads.map((thread) => read(`/proc/self/task/${thread}/children`)));
  return [process.pid, ...lists.join(" ").split(" ").filter(Boolean).map(Number)];
}

/** Memory of a process that was started meanwhile, before it did anything. */
const NEW_PROCESS_BYTES = 48 * 1024 * 1024;

/** Measures what this process and those that it starts take while something goes on, beyond what they held before. */
export async function measureUsage<T>(act: () => Promise<T>): Promise<{ result: T } & Figures> {
  const before = new Map<number, Taken>();
  for (const pid of await processes()) {
    // From here on its peak counts anew.
    await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {});
    before.set(pid, await takenBy(pid));
  }
  const last = new Map<number, Taken>();
  const sample = async () => {
    for (const pid of await processes()) {
      const taken = await takenBy(pid);
      if (taken.heldBytes > 0) last.set(pid, taken);
    }
  };
  let over = false;
  const sampled = (async () => {
    while (!over) {
      await sample();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  const start = performance.now();
  const result = await act();
  const milliseconds = performance.now() - start;
  await sample();
  over = true;
  await sampled;
  let [cpuMilliseconds, peakBytes] = [0, 0];
  for (const [pid, taken] of last) {
    const was = before.get(pid) ?? { cpuMilliseconds: 0, heldBytes: NEW_PROCESS_BYTES };
    cpuMilliseconds += taken.cpuMilliseconds - was.cpuMilliseconds;
    peakBytes += Math.max(0, taken.peakBytes - was.heldBytes);
  }
  return { result, milliseconds, cpuMilliseconds, peakBytes };
}
