import { describe, expect, test } from "vitest";
import { isSupported, meteredFunctions, meteredInstance, TestTank } from "../../support/metered.js";

const spin = `(func (export "spin") (loop (br 0)))`;

const catching = `(module (func $spin (loop (br 0)))
  (func (export "f") (result i32)
    (block $caught (try_table (catch_all $caught) (call $spin)) (return (i32.const 1)))
    (i32.const 2)))`;
const hasTryTable = await isSupported(catching);
if (!hasTryTable)
  process.stdout.write("skipped: this engine has no try_table, catching with it is not tested\n");

describe("a guest without fuel", () => {
  test("stops exactly where its fuel does", async () => {
    const wat = `(module (func (export "f") (result i32) (i32.add (i32.const 1) (i32.const 2))))`;
    const enough = new TestTank({ fuel: 4 });
    expect((await meteredFunctions(wat, enough)).f!()).toBe(3);
    expect(enough.left).toBe(0);
    const short = new TestTank({ fuel: 3 });
    expect((await meteredFunctions(wat, short)).f).toThrow(WebAssembly.RuntimeError);
    expect(short.left).toBeLessThan(0);
  });

  test.each([
    ["a loop that does nothing", `(func (export "f") (loop (br 0)))`],
    ["a loop on a condition", `(func (export "f") (loop (br_if 0 (i32.const 1))))`],
    ["a loop on a table", `(func (export "f") (loop (br_table 0 0 0 (i32.const 1))))`],
    ["a loop of tail calls", `(func $f (export "f") (return_call $f))`],
    ["a loop of throws", `(tag $t) (func (export "f") (loop try (throw $t) catch_all br 1 end))`],
    [
      "a loop of rethrows",
      `(tag $t) (func (export "f") (loop try try (throw $t) catch_all rethrow 0 end catch_all br 1 end))`,
    ],
    [
      "a loop of bulk operations of no length",
      `(memory 1) (func (export "f") (loop (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)) (br 0)))`,
    ],
    [
      "a loop of growths of no page",
      `(memory 1) (func (export "f") (loop (drop (memory.grow (i32.const 0))) (br 0)))`,
    ],
  ])("stops in %s", async (_, fields) => {
    const tank = new TestTank({ fuel: 10_000 });
    const { f } = await meteredFunctions(`(module ${fields})`, tank);
    expect(f).toThrow(new WebAssembly.RuntimeError("unreachable"));
    expect(tank.left).toBeLessThan(0);
  });

  test("cannot catch that", async () => {
    const tank = new TestTank({ fuel: 10_000 });
    const wat = `(module (func $spin (loop (br 0)))
      (func (export "f") (result i32) try (result i32) (call $spin) (i32.const 1) catch_all (i32.const 2) end))`;
    const { f } = await meteredFunctions(wat, tank);
    expect(f).toThrow(WebAssembly.RuntimeError);
  });

  test.skipIf(!hasTryTable)("cannot catch it with try_table either", async () => {
    const { f } = await meteredFunctions(catching, new TestTank({ fuel: 10_000 }));
    expect(f).toThrow(WebAssembly.RuntimeError);
  });

  test("cannot catch it through a host function", async () => {
    const tank = new TestTank({ fuel: 10_000 });
    const wat = `(module (import "host" "again" (func $again)) ${spin}
      (func (export "f") (result i32) try (result i32) (call $again) (i32.const 1) catch_all (i32.const 2) end))`;
    const exports = await meteredFunctions(wat, tank, { host: { again: () => exports.spin!() } });
    expect(exports.f).toThrow(WebAssembly.RuntimeError);
  });

  test("stays without: nothing more runs, not even in another module or with a smaller need", async () => {
    const tank = new TestTank({ fuel: 1000 });
    let calls = 0;
    const wat = `(module (import "host" "count" (func $count)) ${spin} (func (export "f") (call $count)))`;
    const imports = { host: { count: () => void calls++ } };
    const first = await meteredFunctions(wat, tank, imports);
    const second = await meteredFunctions(wat, tank, imports);
    expect(first.spin).toThrow();
    const { left } = tank;
    expect(left).toBeLessThan(0);
    for (let i = 0; i < 1000; i++) {
      expect(first.f).toThrow(WebAssembly.RuntimeError);
      expect(second.f).toThrow(WebAssembly.RuntimeError);
    }
    expect(calls).toBe(0);
    expect(tank.left).toBeLessThanOrEqual(left);
  });

  test("shares what it has with all of its modules", async () => {
    const tank = new TestTank({ fuel: 7 });
    const wat = `(module (func (export "f") (drop (i32.const 1)) (drop (i32.const 1))))`;
    const first = await meteredFunctions(wat, tank);
    const second = await meteredFunctions(wat, tank);
    first.f!();
    second.f!();
    expect(tank.left).toBe(1);
    expect(first.f).toThrow(WebAssembly.RuntimeError);
  });

  test("stops in its start function", async () => {
    const tank = new TestTank({ fuel: 1000 });
    const wat = "(module (func $s (loop (br 0))) (start $s))";
    await expect(meteredInstance(wat, tank)).rejects.toThrow(WebAssembly.RuntimeError);
  });

  test("pays for code after the start of a long run before any of it runs", async () => {
    const tank = new TestTank({ fuel: 1000 });
    const stores = "(i32.store (i32.const 0) (i32.const 1))".repeat(1000);
    const wat = `(module (memory (export "m") 1) (func (export "f") ${stores}))`;
    const { exports } = await meteredInstance(wat, tank);
    expect(exports.f).toThrow(WebAssembly.RuntimeError);
    expect(new Uint8Array((exports.m as WebAssembly.Memory).buffer)[0]).toBe(0);
  });
});
