// How many nanoseconds one unit of fuel can buy, for each kind of operation that a guest can choose.
import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { meterModule } from "../../dist/sandbox/meter.js";
import { fuelIn, METER_NAMESPACE } from "../../dist/sandbox/meter-contract.js";
import { tank } from "../meter/pair.mjs";
import { boundaryPrices } from "./boundary.mjs";
import { moduleText, OPERATIONS } from "./operations.mjs";

const GOAL_NS = 5;
const SAMPLES = 25;
const SAMPLE_MS = 1;

const CAPS = { memoryPages: 65_536, tableElements: 10_000_000 };

async function compiled(text) {
  return new WebAssembly.Module(meterModule(await parse(text), CAPS).bytes);
}

const other = await compiled('(module (func (export "function")))');

async function nanosecondsPerUnit(operation) {
  const module = await compiled(moduleText(operation));
  const start = () => {
    const globals = tank();
    const imports = { other: new WebAssembly.Instance(other, globals).exports, ...globals };
    const { run } = new WebAssembly.Instance(module, imports).exports;
    return { run, fuel: () => fuelIn(globals[METER_NAMESPACE].fuel.value) };
  };
  const once = (turns, { run, fuel }) => {
    const before = fuel();
    const from = performance.now();
    run(turns);
    return { ms: performance.now() - from, units: Number(before - fuel()) };
  };
  let instance = start();
  const { turns: fixed } = operation;
  let turns = fixed ?? 1;
  for (let warm = 0; warm < 40; warm++) {
    if (fixed) instance = start();
    const { ms } = once(turns, instance);
    if (!fixed && ms < SAMPLE_MS) turns = Math.min(turns * 2, 1_000_000);
  }
  await new Promise((resolve) => setTimeout(resolve, 30));
  const samples = Array.from({ length: SAMPLES }, () => {
    if (fixed) instance = start();
    const { ms, units } = once(turns, instance);
    return (ms * 1e6) / units;
  });
  // The least, which is what it takes when nothing else runs.
  return Math.min(...samples);
}

const only = process.argv[2];
process.stdout.write(
  `Node ${process.version}: nanoseconds for one unit of fuel (goal: at most ${GOAL_NS})\n`,
);
let worst = 0;
function print(name, figure) {
  worst = Math.max(worst, figure);
  process.stdout.write(`  ${name.padEnd(32)} ${figure.toFixed(2)}${figure > GOAL_NS ? "  OVER" : ""}\n`);
}
for (const [name, operation] of Object.entries(OPERATIONS)) {
  if (!only || name.includes(only)) print(name, await nanosecondsPerUnit(operation));
}
if (!only) for await (const [name, figure] of boundaryPrices()) print(name, figure);
process.stdout.write(`  ${"the most".padEnd(32)} ${worst.toFixed(2)}\n`);
