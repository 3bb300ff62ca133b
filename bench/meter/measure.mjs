// Measures on the Node that runs it; prints JSON.
import { meterModule } from "../../dist/sandbox/meter.js";
import { loaders } from "./kernels.mjs";
import { pair, sizes } from "./pair.mjs";

const PAIRS = 41;
const SLICE_MS = 4;

const median = (numbers) => numbers.toSorted((x, y) => x - y)[numbers.length >> 1];

function time(work, turns) {
  const start = performance.now();
  for (let i = 0; i < turns; i++) work();
  return performance.now() - start;
}

/** The median of the ratios of neighbouring measurements, of which either comes first as often. */
async function ratio(name, plain, metered) {
  if (String(plain()) !== String(metered()))
    throw new Error(`${name} computes something else when it is metered`);
  for (const end = performance.now() + 400; performance.now() < end; ) {
    plain();
    metered();
  }
  // The optimising compiler works in the background.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const turns = Math.max(1, Math.round(SLICE_MS / Math.min(time(plain, 1), time(plain, 1))));
  const ratios = [];
  for (let i = 0; i < PAIRS; i++) {
    const first = i % 2 === 0 ? time(plain, turns) : 0;
    const meteredTime = time(metered, turns);
    const plainTime = first || time(plain, turns);
    ratios.push(meteredTime / plainTime);
  }
  return median(ratios);
}

/** Megabytes a second of one core, warm. */
function rewriting(bytes) {
  const caps = { memoryPages: 65_536, tableElements: 10_000_000 };
  const speeds = Array.from({ length: 15 }, () => {
    const start = process.cpuUsage();
    meterModule(bytes, caps);
    const { user, system } = process.cpuUsage(start);
    return bytes.length / (user + system);
  });
  return { bytes: bytes.length, megabytesPerSecond: median(speeds), best: Math.max(...speeds) };
}

const ratios = {};
for (const load of await loaders()) {
  const { plain, metered } = await pair(load);
  for (const name of Object.keys(plain)) ratios[name] = await ratio(name, plain[name], metered[name]);
}
const growth = sizes.map(({ before, after }) => ({ before, after }));
const speed = [];
for (const file of process.argv.slice(2)) {
  const { readFileSync } = await import("node:fs");
  speed.push(rewriting(new Uint8Array(readFileSync(file))));
}
process.stdout.write(JSON.stringify({ version: process.version, ratios, growth, speed }));
