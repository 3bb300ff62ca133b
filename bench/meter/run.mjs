// What metering costs: time (metered / the same module unmetered, measured in turns in one process), size, and
// the speed of rewriting. On the Node that runs this, and on a current one.
import { execFileSync } from "node:child_process";
import { currentNode } from "../../scripts/current-node.mjs";
import { bigModules } from "./big-modules.mjs";
import { CALL_HEAVY, GUEST } from "./kernels.mjs";

const GOALS = { mean: 1.1, worst: 1.35, callHeavy: 1.2, guest: 1.2, growth: 1.45 };
const MEASURE = new URL("measure.mjs", import.meta.url).pathname;

const mean = (numbers) => Math.exp(numbers.reduce((sum, n) => sum + Math.log(n), 0) / numbers.length);
const print = (text) => process.stdout.write(`${text}\n`);

function line(what, figure, goal) {
  print(
    `  ${what.padEnd(28)} ${figure.toFixed(3)}${goal === undefined ? "" : `   (goal: at most ${goal})${figure > goal ? "  OVER" : ""}`}`,
  );
}

for (const node of [process.execPath, currentNode().file]) {
  const output = execFileSync(node, [MEASURE, ...bigModules()], { encoding: "utf8", maxBuffer: 1 << 24 });
  const { version, ratios, growth, speed } = JSON.parse(output);
  print(`\nNode ${version}: metered / unmetered`);
  const kernels = Object.entries(ratios).filter(([name]) => name !== GUEST);
  for (const [name, ratio] of kernels) line(name, ratio, GOALS.worst);
  line("geometric mean", mean(kernels.map(([, ratio]) => ratio)), GOALS.mean);
  line("of those that mostly call", mean(CALL_HEAVY.map((name) => ratios[name])), GOALS.callHeavy);
  line(`JavaScript guest: ${GUEST}`, ratios[GUEST], GOALS.guest);
  print("growth of the binaries");
  for (const { before, after } of growth) line(`${before} bytes`, after / before, GOALS.growth);
  print("rewriting, megabytes a second of one core");
  for (const { bytes, megabytesPerSecond, best } of speed) {
    print(
      `  ${`${bytes} bytes`.padEnd(28)} ${megabytesPerSecond.toFixed(0)} (best of 15: ${best.toFixed(0)})`,
    );
  }
}
