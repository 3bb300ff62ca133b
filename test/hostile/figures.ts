import { mkdir, writeFile } from "node:fs/promises";
import type { Hostile } from "./hostile.js";

/** What running one guest took. */
export interface Figures {
  milliseconds: number;
  /** Of all threads together. */
  cpuMilliseconds: number;
  /** Of host memory: the most that was held at once. */
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
