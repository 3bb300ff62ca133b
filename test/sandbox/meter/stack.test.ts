import { spawnSync } from "node:child_process";
import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { meterModule } from "#src/sandbox/meter";
import { MAX_STACK_UNITS, METER_GLOBAL_ORDER, METER_NAMESPACE, tankValue } from "#src/sandbox/meter-contract";
import { WORKER_STACK_MIB } from "#src/sandbox/node-worker";
import { meteredFunctions, TEST_CAPS, TestTank } from "../../support/metered.js";

const locals = (count: number, type: string) => `(local ${`${type} `.repeat(count)})`;
const sum = (count: number, add: string) =>
  Array.from({ length: count }, (_, i) => `local.get ${i + 1} ${add}`).join(" ");
/** Gives each local a value of its own before the call, and reads it after, so that the frame has to hold it. */
const live = (count: number, type: string, constant: (i: number) => string, add: string, last: string) => `
  (func $f (export "f") (param i32) (result i32) ${locals(count, type)}
    ${Array.from({ length: count }, (_, i) => `(local.set ${i + 1} ${constant(i)})`).join(" ")}
    (call $f (i32.add (local.get 0) (i32.const 1))) ${last === "" ? "" : "drop"}
    ${constant(0)} ${sum(count, add)} ${last})`;

const random = (i: number) => `(i32.mul (local.get 0) (i32.const ${i * 77 + 1}))`;
const INT = (count: number) => live(count, "i32", random, "i32.add", "i32.add").replace("drop", "");
const SHAPES: Record<string, string> = {
  "the smallest frames": `(func $f (export "f") (param i32) (result i32) (i32.add (i32.const 1) (call $f (local.get 0))))`,
  "frames without a result": `(func $f (export "f") (param i32) (call $f (local.get 0)) (drop (i32.const 1)))`,
  "many locals": INT(900),
  "some locals": INT(20),
  "wide locals": live(500, "i64", (i) => `(i64.extend_i32_s ${random(i)})`, "i64.add", "i32.wrap_i64"),
  "float locals": live(
    500,
    "f64",
    (i) => `(f64.convert_i32_s ${random(i)})`,
    "f64.add",
    "i32.trunc_sat_f64_s",
  ),
  "vector locals": live(
    300,
    "v128",
    (i) => `(i32x4.splat ${random(i)})`,
    "i32x4.add",
    "i32x4.extract_lane 0",
  ),
  "a high operand stack": `(func $f (export "f") (param i32) (result i32)
    ${Array.from({ length: 900 }, (_, i) => random(i)).join(" ")} (call $f (local.get 0)) ${"i32.add ".repeat(900)})`,
  "many parameters": `(func $f (param ${"i64 ".repeat(500)}) (result i32)
    (i32.add (i32.const 1) (call $f ${Array.from({ length: 500 }, (_, i) => `(local.get ${499 - i})`).join(" ")})))
    (func (export "f") (param i32) (result i32) (call $f ${"(i64.extend_i32_s (local.get 0)) ".repeat(500)}))`,
  "many results": `(func $f (export "f") (param i32) (result ${"i32 ".repeat(200)}) (call $f (local.get 0)) (drop) (i32.const 1))`,
  "calls through a table": `(type $t (func (param i32) (result i32))) (table funcref (elem $f))
    (func $f (export "f") (type $t) (i32.add (i32.const 1) (call_indirect (type $t) (local.get 0) (i32.const 0))))`,
  "two that call each other": `(func $f (export "f") (param i32) (result i32) ${locals(60, "i64")}
      (i32.add (i32.const 1) (call $g (local.get 0))))
    (func $g (param i32) (result i32) (i32.add (i32.const 1) (call $h (local.get 0))))
    (func $h (param i32) (result i32) ${locals(60, "i64")} (i32.add (i32.const 1) (call $f (local.get 0))))`,
  "calls that are nested deep, but not without end": `(func (export "f") (param i32) (result i32) (call $f0 (local.get 0)))
    ${Array.from(
      { length: 2000 },
      (_, i) => `(func $f${i} (param i32) (result i32) ${locals(300, "i64")}
        (i32.add (i32.const 1) (call $f${i + 1} (local.get 0))))`,
    ).join("\n")}
    (func $f2000 (param i32) (result i32) (local.get 0))`,
  "calls through a table that is exported": `(type $t (func (param i32) (result i32))) (table (export "t") funcref (elem $f))
    (func $f (export "f") (type $t) (i32.add (i32.const 1) (call_indirect (type $t) (local.get 0) (i32.const 0))))
    (func (export "g") (drop (call $f (i32.const 1))))`,
};

/** Runs in a worker like those of guests: calls `f` until it is too deep, and says what came of it. */
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { bytes, full, names, namespace } = workerData;
  const globals = {};
  for (const [i, name] of names.entries()) {
    globals[name] = new WebAssembly.Global({ value: i === 0 ? "i64" : "i32", mutable: true }, i === 0 ? full : 1000);
  }
  const module = new WebAssembly.Module(bytes);
  const { f } = new WebAssembly.Instance(module, { [namespace]: globals }).exports;
  let message = "none";
  try { f(1); } catch (error) { message = error.message; }
  parentPort.postMessage([message, String(globals.fuel.value)]);
`;
const MAIN = `
  const { Worker } = require("node:worker_threads");
  const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const workerData = { ...input, bytes: Buffer.from(input.bytes, "base64"), full: BigInt(input.full) };
  const worker = new Worker(input.worker, { eval: true, workerData, resourceLimits: { stackSizeMb: input.stack } });
  worker.on("message", (message) => process.stdout.write(JSON.stringify(message)));
`;

async function callDeep(fields: string, flags: string[]): Promise<[message: string, tank: string]> {
  const { bytes } = meterModule(await parse(`(module ${fields})`), TEST_CAPS);
  const input = JSON.stringify({
    bytes: Buffer.from(bytes).toString("base64"),
    full: String(tankValue(1_000_000_000, MAX_STACK_UNITS)),
    names: METER_GLOBAL_ORDER,
    namespace: METER_NAMESPACE,
    worker: WORKER,
    stack: WORKER_STACK_MIB,
  });
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "-e", MAIN], { input, encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as [string, string];
}

const COMPILERS = [
  ["the first compiler", ["--liftoff-only"]],
  ["the optimising compiler", ["--no-liftoff"]],
] as const;

describe.each(Object.entries(SHAPES))("calls that are nested without end: %s", (_, fields) => {
  test("end by the meter and not by the engine's own limit, at the same place by every compiler", async () => {
    const tanks: string[] = [];
    for (const [, flags] of COMPILERS) {
      const [message, tank] = await callDeep(fields, [...flags]);
      expect(message).toBe("unreachable");
      tanks.push(tank);
    }
    expect(tanks[0]).toBe(tanks[1]);
  });
});

describe("the stack", () => {
  const recursive = (body: string) =>
    `(module (import "host" "h" (func $h)) (tag $t) (func $f (export "f") (param i32) (result i32)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 0)))) ${body}
      (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1))))))`;

  test("is given back by calls that return, however many there are", async () => {
    const tank = new TestTank({ stack: 10 });
    const { f } = await meteredFunctions(recursive(""), tank, { host: { h: () => {} } });
    for (let i = 0; i < 100; i++) expect(f!(5)).toBe(5);
    expect(tank.stackRanOut).toBe(false);
    expect(() => f!(50)).toThrow("unreachable");
    expect([tank.stackRanOut, tank.left > 0]).toEqual([true, true]);
  });

  test("is given back by exceptions that are caught", async () => {
    const wat = `(module (tag $t)
      (func $deep (param i32) (if (i32.eqz (local.get 0)) (then (throw $t)))
        (call $deep (i32.sub (local.get 0) (i32.const 1))) (nop))
      (func (export "f") (param i32)
        (loop try (call $deep (i32.const 5)) catch_all end
          (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`;
    const tank = new TestTank({ stack: 10 });
    const { f } = await meteredFunctions(wat, tank);
    f!(1000);
    expect(tank.stackRanOut).toBe(false);
  });

  test("is not used up by tail calls", async () => {
    const wat = `(module (func $f (export "f") (param i32) (result i32)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 7))))
      (return_call $f (i32.sub (local.get 0) (i32.const 1)))))`;
    const { f } = await meteredFunctions(wat, new TestTank({ stack: 3 }));
    expect(f!(100_000)).toBe(7);
  });

  test("weighs a frame by its locals and by its operand stack", async () => {
    const depth = async (fields: string) => {
      let reached = 0;
      const tank = new TestTank({ stack: 1000 });
      const wat = `(module (import "host" "h" (func $h)) ${fields})`;
      const { f } = await meteredFunctions(wat, tank, { host: { h: () => void reached++ } });
      expect(f).toThrow("unreachable");
      return reached;
    };
    const small = await depth(`(func $f (export "f") (call $h) (call $f) (nop))`);
    const locals = await depth(
      `(func $f (export "f") (local ${"i64 ".repeat(300)}) (call $h) (call $f) (nop))`,
    );
    const stack = await depth(
      `(func $f (export "f") (call $h) ${"(i32.const 1) ".repeat(300)} (call $f) ${"drop ".repeat(300)})`,
    );
    expect(small).toBe(1000);
    // 96 bytes and 8 for each of some 300 values, in units of 256 bytes.
    expect(locals).toBe(1000 / 10);
    expect(stack).toBe(locals);
  });

  test("is not looked at, nor taken, where calls cannot be nested deep", async () => {
    const wat = `(module (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
      (func $middle (param i32) (result i32) (i32.add (call $leaf (local.get 0)) (call $leaf (local.get 0))))
      (func (export "f") (param i32) (result i32) (call $middle (local.get 0))))`;
    const tank = new TestTank({ stack: 0 });
    const { f } = await meteredFunctions(wat, tank);
    expect(f!(5)).toBe(12);
    expect(tank.stackRanOut).toBe(false);
  });

  test("is taken, but not looked at, by what stands outside of a recursion", async () => {
    const wat = `(module
      (func $f (param i32) (result i32)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
      (func $g (param i32) (result i32) (i32.add (i32.const 1) (call $f (local.get 0))))
      (func (export "g") (param i32) (result i32) (i32.add (i32.const 1) (call $g (local.get 0)))))`;
    const { g } = await meteredFunctions(wat, new TestTank({ stack: 10 }));
    // Two frames stand outside, and the recursion has one more than its argument.
    expect(g!(7)).toBe(9);
    expect(() => g!(8)).toThrow("unreachable");
  });

  test("leaves the fuel as it was when it runs out", async () => {
    const fuel = 1_000_000;
    const tank = new TestTank({ fuel, stack: 100 });
    const { f } = await meteredFunctions(`(module (func $f (export "f") (call $f) (nop)))`, tank);
    expect(f).toThrow("unreachable");
    expect(tank.stackRanOut).toBe(true);
    // The entry and the call of each of 101 functions.
    expect(tank.used).toBe(2 * 101);
  });

  test("cannot be caught when it has run out, and stays so", async () => {
    const wat = `(module (func $f (export "f") (call $f) (nop))
      (func (export "g") try (call $f) catch_all end))`;
    const tank = new TestTank();
    const { f, g } = await meteredFunctions(wat, tank);
    expect(g).toThrow("unreachable");
    expect(f).toThrow("unreachable");
    expect(tank.stackRanOut).toBe(true);
  });
});
