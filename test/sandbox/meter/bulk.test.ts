import { describe, expect, test } from "vitest";
import { meteredInstance, TestTank } from "../../support/metered.js";

type Call = (destination: number, source: number, length: number) => void;

// Each function costs its entry, three local.get, and 30 for the operation; and 1 for each byte, 12 for each element; 2 for a drop.
const FIXED = 34;
const PAGE = 65_536;

const MEMORY = `(module
  (memory (export "memory") 1 4)
  (data $passive "passive text")
  (data $active (i32.const 1000) "active")
  (func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2)))
  (func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
  (func (export "init") (param i32 i32 i32) (memory.init $passive (local.get 0) (local.get 1) (local.get 2)))
  (func (export "initActive") (param i32 i32 i32) (memory.init $active (local.get 0) (local.get 1) (local.get 2)))
  (func (export "drop") (data.drop $passive)))`;

const TABLE = `(module
  (table $t (export "t") 10 20 funcref)
  (table $u (export "u") 10 20 funcref)
  (func $a (export "a")) (func $b)
  (elem $passive func $a $b $a)
  (func (export "copy") (param i32 i32 i32) (table.copy $t $u (local.get 0) (local.get 1) (local.get 2)))
  (func (export "fill") (param i32 i32 i32) (table.fill $t (local.get 0) (ref.null func) (local.get 2)))
  (func (export "init") (param i32 i32 i32) (table.init $u $passive (local.get 0) (local.get 1) (local.get 2)))
  (func (export "drop") (elem.drop $passive)))`;

async function memoryOn(fuel?: number) {
  const tank = new TestTank(fuel === undefined ? {} : { fuel });
  const { exports } = await meteredInstance(MEMORY, tank);
  const bytes = new Uint8Array((exports.memory as WebAssembly.Memory).buffer);
  return { tank, bytes, exports: exports as Record<"copy" | "fill" | "init" | "initActive" | "drop", Call> };
}

async function tableOn(fuel?: number) {
  const tank = new TestTank(fuel === undefined ? {} : { fuel });
  const { exports } = await meteredInstance(TABLE, tank);
  const { t, u } = exports as Record<string, WebAssembly.Table>;
  return { tank, t: t!, u: u!, exports: exports as Record<"a" | "copy" | "fill" | "init" | "drop", Call> };
}

describe("an operation on memory", () => {
  test.each([
    ["copy", 0, 100, 40],
    ["fill", 3, 255, PAGE - 3],
    ["init", PAGE - 12, 0, 12],
    ["copy", PAGE, 5, 0],
    ["init", 0, 12, 0],
  ] as const)("is charged for each byte: %s", async (name, destination, source, length) => {
    const { tank, exports } = await memoryOn();
    exports[name](destination, source, length);
    expect(tank.used).toBe(FIXED + length);
  });

  test.each([
    ["copy", PAGE - 1, 0, 2],
    ["copy", 0, PAGE - 1, 2],
    ["copy", PAGE + 1, 0, 0],
    ["copy", -1, 1, -1],
    ["fill", 0, 0, PAGE + 1],
    ["fill", -PAGE, 0, PAGE],
    ["fill", 1, 0, -1],
    ["init", 0, 0, 13],
    ["init", 0, 12, 1],
    ["init", 1, 1, -1],
    ["init", PAGE - 2, 0, 3],
    ["initActive", 0, 0, 1],
  ] as const)("out of bounds traps as ever and costs nothing more: %s(%i, %i, %i)", async (...call) => {
    const [name, destination, source, length] = call;
    for (const fuel of [undefined, FIXED]) {
      const { tank, exports } = await memoryOn(fuel);
      expect(() => exports[name](destination, source, length)).toThrow("memory access out of bounds");
      expect(tank.used).toBe(FIXED);
    }
  });

  test("on a dropped segment traps as ever and costs nothing more", async () => {
    for (const fuel of [undefined, FIXED + 3]) {
      const { tank, exports } = await memoryOn(fuel);
      exports.drop(0, 0, 0);
      const before = tank.used;
      expect(() => exports.init(0, 0, 12)).toThrow("memory access out of bounds");
      expect(tank.used - before).toBe(FIXED);
    }
  });

  test.each([
    ["copy", 0, 1000, 6],
    ["fill", 0, 7, 6],
    ["init", 0, 0, 6],
  ] as const)("that cannot be paid does not happen: %s", async (name, destination, source, length) => {
    const enough = await memoryOn(FIXED + length);
    enough.exports[name](destination, source, length);
    expect(enough.tank.left).toBe(0);
    const { tank, bytes, exports } = await memoryOn(FIXED + length - 1);
    expect(() => exports[name](destination, source, length)).toThrow("unreachable");
    expect(tank.left).toBe(-1);
    expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test.each(["copy", "fill"] as const)("of 2 GiB is paid for as such: %s", async (name) => {
    const tank = new TestTank({ fuel: 1000 });
    const caps = { memoryPages: 65_536, tableElements: 0 };
    const wat = `(module (memory 32768) (func (export "${name}") (param i32 i32 i32)
      (memory.${name} (local.get 0) (local.get 1) (local.get 2))))`;
    const { exports } = await meteredInstance(wat, tank, {}, caps);
    expect(() => (exports[name] as Call)(0, 0, -0x8000_0000)).toThrow("unreachable");
    expect(tank.left).toBe(-1);
  });

  test("moves overlapping bytes as ever, in both directions", async () => {
    const { bytes, exports } = await memoryOn();
    exports.copy(1002, 1000, 6);
    expect(String.fromCharCode(...bytes.subarray(1000, 1008))).toBe("acactive");
    exports.copy(1001, 1003, 5);
    expect(String.fromCharCode(...bytes.subarray(1000, 1008))).toBe("activeve");
  });
});

describe("an operation on a table", () => {
  test("is charged for each element, and does what it did", async () => {
    const { tank, t, u, exports } = await tableOn();
    exports.init(2, 0, 3);
    expect(tank.used).toBe(FIXED + 36);
    expect(u.get(2)).toBe(exports.a);
    exports.copy(5, 1, 4);
    expect(tank.used).toBe(2 * FIXED + 36 + 48);
    expect([t.get(6), t.get(8)]).toEqual([exports.a, exports.a]);
    exports.fill(6, 0, 4);
    // The two local.get, one ref.null.
    expect(tank.used).toBe(3 * FIXED + 36 + 48 + 48);
    expect(t.get(6)).toBeNull();
  });

  test("moves overlapping elements as ever", async () => {
    const wat = `(module (table $t (export "t") 5 funcref) (func $a (export "a")) (func $b (export "b"))
      (elem (i32.const 0) func $a $b)
      (func (export "copy") (param i32 i32 i32) (table.copy (local.get 0) (local.get 1) (local.get 2))))`;
    const { exports } = await meteredInstance(wat, new TestTank());
    const { t, a, b, copy } = exports as { t: WebAssembly.Table; a: Call; b: Call; copy: Call };
    copy(1, 0, 2);
    expect([0, 1, 2].map((i) => t.get(i))).toEqual([a, a, b]);
  });

  test.each([
    ["copy", 8, 0, 3],
    ["copy", 0, 8, 3],
    ["fill", 0, 0, -1],
    ["init", 0, 1, 3],
    ["init", 9, 0, 2],
  ] as const)("out of bounds traps as ever and costs nothing more: %s(%i, %i, %i)", async (...call) => {
    const [name, destination, source, length] = call;
    for (const fuel of [undefined, FIXED]) {
      const { tank, exports } = await tableOn(fuel);
      expect(() => exports[name](destination, source, length)).toThrow("out of bounds");
      expect(tank.used).toBe(FIXED);
    }
  });

  test("on a dropped segment traps as ever and costs nothing more", async () => {
    const { tank, exports } = await tableOn(3 + FIXED);
    exports.drop(0, 0, 0);
    expect(() => exports.init(0, 0, 3)).toThrow("out of bounds");
    expect(tank.used).toBe(3 + FIXED);
  });

  test.each(["copy", "fill", "init"] as const)("that cannot be paid does not happen: %s", async (name) => {
    const { tank, exports } = await tableOn(FIXED + 35);
    expect(() => exports[name](0, 0, 3)).toThrow("unreachable");
    expect(tank.left).toBe(-1);
  });
});

test("a module with very many kinds of bulk operation is refused", async () => {
  const segments = Array.from({ length: 1001 }, (_, i) => i);
  const inits = segments.map((i) => `(memory.init ${i} (i32.const 0) (i32.const 0) (i32.const 0))`);
  const wat = `(module (memory 1) ${segments.map(() => '(data "")').join("")} (func ${inits.join("")}))`;
  await expect(meteredInstance(wat, new TestTank())).rejects.toThrow(
    expect.objectContaining({ code: "module-refused", data: { limit: "bulkOperations" } }),
  );
});
