import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Hostile } from "./hostile.js";

/** What running one guest took. */
export interface Figures {
  milliseconds: number;
  /** Of all threads together. */
  cpuMilliseconds: number;
  /** Of host memory: the most that the process held at once. */
  peakBytes: number;
  fuel?: number | undefined;
}

export type Figured = Pick<Hostile, "family" | "title"> & { ended: string } & Figures;

const FOLDER = new URL("../.work/", import.meta.url);

/** Keeps the figures of a run for whoever wants to see them. */
export async function keepFigures(way: "cli" | "library", figures: Figured[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const [major] = process.versions.node.split(".");
  await writeFile(new URL(`hostile-${way}-node-${major}.json`, FOLDER), JSON.stringify(figures, null, 1));
}

/** The most memory that this process has held since `forgetPeak`, or 0 where the system does not tell. */
export async function peakBytes(): Promise<number> {
  try {
    const status = await readFile("/proc/self/status", "utf8");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** From here on the peak counts anew. Source: proc(5), clear_refs. */
export async function forgetPeak(): Promise<void> {
  await writeFile("/proc/self/clear_refs", "5").catch(() => {});
}
