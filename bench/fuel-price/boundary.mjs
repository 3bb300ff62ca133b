// What a unit of fuel buys at the boundary: calls of the host, and text in and out. Each is a guest of the world
// `hook`, which runs as hooks do; figures are of the difference between few and many.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { componentEmbed, componentNew, parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { DEFAULT_LIMITS } from "../../dist/hooks/limits.js";
import { Sandbox } from "../../dist/sandbox/sandbox.js";

const HOST = '"wasmhook:hook/host@1.0.0"';
const LIMITS = {
  ...DEFAULT_LIMITS,
  fuel: 1e12,
  memoryBytes: 256 * 2 ** 20,
  outputBytes: 2 ** 26,
  logsBytes: 2 ** 26,
  deadlineMs: 60_000,
};
const ROUNDS = 9;
const PAGES = 512;

const repeat = (count, body) =>
  `(loop $turn ${body} (br_if $turn (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${count}))))`;
const logging = (bytes) => (count) => ({
  handle: repeat(count, `(call $log (i32.const 1) (i32.const 65536) (i32.const ${bytes}))`),
});
const text = (length) => (count) => ({ event: JSON.stringify("é".repeat(length * count)) });

/** By name: what to run for a count, and a small and a large count. */
const CASES = {
  "log of 0 bytes": [logging(0), 100, 3000],
  "log of 100 bytes": [logging(100), 100, 3000],
  "log of 10,000 bytes": [logging(10_000), 10, 1000],
  "config of 4 bytes": [(count) => ({ handle: repeat(count, "(call $config (i32.const 16))") }), 100, 3000],
  "config of 10,000 bytes": [
    (count) => ({
      handle: repeat(count, "(call $config (i32.const 16))"),
      config: JSON.stringify("é".repeat(9998)),
    }),
    10,
    500,
  ],
  "event in": [text(1000), 10, 4000],
  "event in and out": [
    (count) => ({ ...text(1000)(count), answer: "(local.get $ptr) (local.get $len)" }),
    10,
    4000,
  ],
};

const core = ({ handle = "", answer = "(i32.const 0) (i32.const 0)" }) => `(module
  (import ${HOST} "log" (func $log (param i32 i32 i32))) (import ${HOST} "config" (func $config (param i32)))
  (memory (export "memory") ${PAGES})
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 131072))
  (func $answer (param i32 i32) (result i32)
    (i32.store (i32.const 4) (local.get 0)) (i32.store (i32.const 8) (local.get 1)) (i32.const 0))
  (func (export "wasmhook:hook/handler@1.0.0#handle") (param $ptr i32) (param $len i32) (result i32) (local $i i32)
    ${handle} (call $answer ${answer})))`;

/** A component of the world `hook`. */
export async function component(parts, stringEncoding = "utf8") {
  const witSource = await readFile(new URL("../../wit/hook.wit", import.meta.url), "utf8");
  const binary = await parse(core(parts));
  return await componentNew(await componentEmbed({ binary, witSource, world: "hook", stringEncoding }), []);
}

/** Nanoseconds for a unit, of each case and encoding of text. */
export async function* boundaryPrices() {
  const sandbox = new Sandbox({ workers: 1 });
  for (const encoding of ["utf8", "utf16"]) {
    for (const [name, [parts, few, many]] of Object.entries(CASES)) {
      const least = await fastest(sandbox, parts(few), encoding);
      const most = await fastest(sandbox, parts(many), encoding);
      const ns = (most.durationMs - least.durationMs) * 1e6;
      yield [`${name}, ${encoding}`, ns / (most.fuelUsed - least.fuelUsed)];
    }
  }
  await sandbox.close();
}

async function fastest(sandbox, { event = "{}", config = "null", ...parts }, encoding) {
  const bytes = await component(parts, encoding);
  const module = await sandbox.load(bytes, createHash("sha256").update(bytes).digest("hex"), LIMITS);
  let best;
  for (let round = 0; round < ROUNDS; round++) {
    const run = await sandbox.run(module, { event, config, limits: LIMITS });
    if ("failure" in run.result) throw run.result.failure;
    if (best === undefined || run.durationMs < best.durationMs) best = run;
  }
  return best;
}
