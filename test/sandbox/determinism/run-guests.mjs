// Runs guests a thousand times each, and says what came of them and which of the engine's compilers they ran by.
// To be run by a Node with --allow-natives-syntax. Guests are read as JSON from stdin, and the answer is printed.
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { runGuest } from "#src/sandbox/instance";
import { WORKER_STACK_MIB } from "#src/sandbox/node-worker";
import { prepare } from "#src/sandbox/prepare";
import { pagesIn, TABLE_ELEMENTS_LIMIT } from "#src/sandbox/tank";

const RUNS = 1000;
const HANDLE = "wasmhook:hook/handler@1.0.0#handle";

// Each run makes its instances anew, of code that the engine keeps with the module.
let handle;
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args) {
    const instance = new target(...args);
    handle = instance.exports[HANDLE] ?? instance.exports._start ?? handle;
    return instance;
  },
});

const isBy = (compiler) => new Function("f", `return %Is${compiler}Function(f)`);
const COMPILERS = { Liftoff: isBy("Liftoff"), TurboFan: isBy("TurboFan") };
const tierUp = new Function("f", "%WasmTierUpFunction(f)");

function compilerOf(func) {
  return Object.keys(COMPILERS).find((name) => COMPILERS[name](func)) ?? "none";
}

/** What is to be the same each time. */
function told({ result, ...report }) {
  const { failure } = result;
  const outcome = failure === undefined ? result : { code: failure.code, data: failure.data };
  return JSON.stringify({ outcome, ...report });
}

function runAll({ base64, request }, tiersUp) {
  const caps = { memoryPages: pagesIn(request.limits.memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
  const { guest } = prepare({ bytes: Buffer.from(base64, "base64"), caps });
  const seen = new Set();
  let first;
  for (let i = 0; i < RUNS; i++) {
    seen.add(told(runGuest(guest, request)));
    first ??= compilerOf(handle);
    // The engine does so by itself for what runs for long enough; the handler itself may be short.
    if (tiersUp && i === RUNS / 2) tierUp(handle);
  }
  return { seen: [...seen], compilers: [first, compilerOf(handle)] };
}

if (isMainThread) {
  const guests = JSON.parse(readFileSync(0, "utf8"));
  const tiersUp = process.argv.includes("--tier-up");
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { guests, tiersUp },
    resourceLimits: { stackSizeMb: WORKER_STACK_MIB },
  });
  worker.on("message", (all) => process.stdout.write(JSON.stringify(all)));
} else {
  const { guests, tiersUp } = workerData;
  parentPort.postMessage(guests.map((guest) => runAll(guest, tiersUp)));
}
