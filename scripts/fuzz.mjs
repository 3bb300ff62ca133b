// Mutates real components, and looks for one that crashes, hangs, or is run otherwise than it should be.
//   node scripts/fuzz.mjs [--minutes N] [--seed S] [--jobs N] [--to FOLDER]
import { execFileSync, fork } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HOME = fileURLToPath(new URL("..", import.meta.url));
const BUILT = join(HOME, ".fuzz/");
const PER_PROCESS = 2_000;
/** Of real time, for one input: far more than the two seconds of a processor that are a finding by themselves. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 1_000;
const REPORT_MS = 60_000;
/** Of findings that say the same but for their figures. */
const KEPT_ALIKE = 3;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    jobs: { type: "string", default: String(availableParallelism()) },
    to: { type: "string", default: join(BUILT, "findings") },
  },
});
const seed = Number(values.seed);
const jobs = Number(values.jobs);
const endMs = Date.now() + Number(values.minutes) * 60_000;
const seedFolder = join(BUILT, "seeds");

execFileSync("npm", ["run", "--silent", "build"], { cwd: HOME, stdio: "inherit" });
const tsc = join(HOME, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(HOME, "test/fuzz/tsconfig.json")], { stdio: "inherit" });
rmSync(seedFolder, { recursive: true, force: true });
for (const folder of [seedFolder, values.to]) mkdirSync(folder, { recursive: true });
const { seeds } = await import(`${BUILT}fuzz/seeds.js`);
for (const [i, bytes] of (await seeds()).entries()) {
  writeFileSync(join(seedFolder, `${String(i).padStart(4, "0")}.wasm`), bytes);
}

const outcomes = {};
const found = new Map();
let inputs = 0;

function note(finding, file, index) {
  const kind = finding.replaceAll(/\d+/g, "N").slice(0, 120);
  const count = (found.get(kind) ?? 0) + 1;
  found.set(kind, count);
  if (count > KEPT_ALIKE) return;
  const name = join(values.to, `seed-${seed}-${index}`);
  copyFileSync(file, `${name}.wasm`);
  writeFileSync(`${name}.txt`, `${finding}\n`);
  process.stdout.write(`\nFOUND ${name}.wasm\n${finding}\n`);
}

/** Has a process try some inputs. Resolves to the number of the next. */
function serve(job, first) {
  return new Promise((resolve) => {
    const file = join(BUILT, `input-${job}.wasm`);
    const child = fork(join(BUILT, "fuzz/worker.js"), { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let next = first;
    let isHung = false;
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said = `${said}${text}`.slice(-2_000);
    });
    const started = Date.now();
    const watch = setInterval(() => {
      const since = Math.max(started, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (Date.now() - since < PATIENCE_MS) return;
      isHung = true;
      child.kill("SIGKILL");
    }, LOOK_MS);
    child.on("message", (message) => {
      if ("next" in message) {
        next = message.next;
        for (const [outcome, count] of Object.entries(message.outcomes)) {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
        }
        inputs += PER_PROCESS;
        child.disconnect();
      } else {
        // The file may hold a later input by now.
        writeFileSync(`${file}.found`, Buffer.from(message.base64, "base64"));
        note(message.finding, `${file}.found`, message.index);
      }
    });
    child.on("exit", (code, signal) => {
      clearInterval(watch);
      if (next === first) {
        const how = isHung
          ? `it was not over after ${PATIENCE_MS} ms`
          : `the process died: ${signal ?? code}\n${said}`;
        note(how, file, `from-${first}`);
        next = first + jobs * PER_PROCESS;
      }
      resolve(next);
    });
    child.send({ seedFolder, file, seed, first, step: jobs, count: PER_PROCESS });
  });
}

function report() {
  const lines = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  process.stdout.write(`\n${inputs} inputs, of seed ${seed}; ${found.size} kinds of findings\n`);
  for (const [outcome, count] of lines) process.stdout.write(`${String(count).padStart(9)} ${outcome}\n`);
}

process.stdout.write(
  `fuzzing for ${values.minutes} minutes with seed ${seed}; findings go to ${values.to}\n`,
);
const reporting = setInterval(report, REPORT_MS);
await Promise.all(
  Array.from({ length: jobs }, async (_, job) => {
    let next = job;
    while (Date.now() < endMs) next = await serve(job, next);
  }),
);
clearInterval(reporting);
report();
for (const [kind, count] of found) process.stdout.write(`${String(count).padStart(9)} FOUND ${kind}\n`);
process.exitCode = found.size > 0 ? 1 : 0;
