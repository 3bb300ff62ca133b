// Runs the hostile corpus on this Node and on a current one, and prints what its guests took.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { currentNode } from "./current-node.mjs";

const SHOWN = 12;
const MIB = 1024 * 1024;
const FIGURES = new URL("../test/.work/", import.meta.url);

function figuresOf(way, version) {
  const major = version.replace(/^v/, "").split(".")[0];
  return JSON.parse(readFileSync(new URL(`hostile-${way}-node-${major}.json`, FIGURES), "utf8"));
}

function row({ family, title, ended, milliseconds, cpuMilliseconds, peakBytes, fuel }) {
  const numbers = [
    milliseconds.toFixed(0),
    cpuMilliseconds.toFixed(0),
    (peakBytes / MIB).toFixed(0),
    fuel ?? "-",
  ];
  return `${numbers.map((number, i) => String(number).padStart([8, 8, 8, 12][i])).join(" ")}  ${family}: ${title} (${ended})\n`;
}

function printMost(figures, key, heading) {
  process.stdout.write(
    `\n${heading}\n${"ms".padStart(8)} ${"cpu ms".padStart(8)} ${"MiB".padStart(8)} ${"fuel".padStart(12)}\n`,
  );
  for (const figure of figures.toSorted((a, b) => b[key] - a[key]).slice(0, SHOWN)) {
    process.stdout.write(row(figure));
  }
}

/** A guest's fuel is the same on every engine, or it is told here. The two ways name its tool differently in the event. */
function printDifferences(all) {
  const fuels = new Map();
  for (const { way, family, title, fuel } of all) {
    const name = `${way}: ${family}: ${title}`;
    if (fuel !== undefined) fuels.set(name, (fuels.get(name) ?? new Set()).add(fuel));
  }
  const different = [...fuels].filter(([, seen]) => seen.size > 1);
  process.stdout.write(
    `\n${fuels.size} guests have run through either way; of ${different.length} the fuel differs between engines\n`,
  );
  for (const [name, seen] of different) process.stdout.write(`  ${name}: ${[...seen].join(", ")}\n`);
}

const nodes = [{ file: process.execPath, version: process.version }, currentNode()];
const all = [];
let failed = spawnSync("npm", ["run", "--silent", "build"], { stdio: "inherit" }).status !== 0;
for (const { file, version } of nodes) {
  const args = ["node_modules/vitest/vitest.mjs", "run", "test/hostile", "--reporter=dot"];
  if (spawnSync(file, args, { stdio: "inherit" }).status !== 0) failed = true;
  for (const way of ["cli", "library"]) {
    const figures = figuresOf(way, version);
    all.push(...figures.map((figure) => ({ way, ...figure })));
    process.stdout.write(`\n== Node ${version}, through the ${way}: ${figures.length} guests\n`);
    printMost(figures, "milliseconds", "slowest");
    printMost(figures, "peakBytes", "most memory");
  }
}
printDifferences(all);
process.exitCode = failed ? 1 : 0;
