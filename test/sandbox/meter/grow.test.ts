import { describe, expect, test } from "vitest";
import { meteredInstance, TestTank } from "../../support/metered.js";

type Grow = (by: number) => number;

// The entry, a local.get (and a ref.null for the table), and 30 for the instruction itself.
const MEMORY = `(module (memory (export "m") 1 50) (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`;
const MEMORY_FIXED = 32;
/** Of a growth by one page and more, and of each page. */
const GROWTH_COST = 8000;
const PAGE_COST = 1024;
const TABLE = `(module (table (export "t") 1 50 funcref)
  (func (export "grow") (param i32) (result i32) (table.grow (ref.null func) (local.get 0))))`;
const TABLE_FIXED = 33;

async function grown(wat: string, tank: TestTank) {
  const { exports } = await meteredInstance(wat, tank);
  return {
    grow: exports.grow as Grow,
    pages: () => (exports.m as WebAssembly.Memory).buffer.byteLength / 65_536,
    elements: () => (exports.t as WebAssembly.Table).length,
  };
}

describe("growing a memory", () => {
  test("answers the old size, takes from the allowance and pays by the page", async () => {
    const tank = new TestTank({ pages: 10 });
    const { grow, pages } = await grown(MEMORY, tank);
    expect(grow(3)).toBe(1);
    expect(grow(0)).toBe(4);
    expect(pages()).toBe(4);
    expect(tank.pages.value).toBe(7);
    expect(tank.used).toBe(2 * MEMORY_FIXED + GROWTH_COST + 3 * PAGE_COST);
  });

  test.each([11, -1, 0x7fff_ffff, -0x8000_0000])(
    "beyond the allowance answers -1 and is free: by %i",
    async (by) => {
      const tank = new TestTank({ pages: 10 });
      const { grow, pages } = await grown(MEMORY, tank);
      expect(grow(by)).toBe(-1);
      expect(pages()).toBe(1);
      expect(tank.pages.value).toBe(10);
      expect(tank.used).toBe(MEMORY_FIXED);
      expect(grow(10)).toBe(1);
    },
  );

  test("beyond the memory's own maximum answers -1 and is free", async () => {
    const tank = new TestTank({ pages: 100 });
    const { grow } = await grown(MEMORY, tank);
    expect(grow(50)).toBe(-1);
    expect(tank.pages.value).toBe(100);
    expect(tank.used).toBe(MEMORY_FIXED);
  });

  test("that cannot be paid ends the guest", async () => {
    const tank = new TestTank({ fuel: MEMORY_FIXED + GROWTH_COST + PAGE_COST - 1 });
    const { grow } = await grown(MEMORY, tank);
    expect(() => grow(1)).toThrow("unreachable");
    expect(tank.left).toBeLessThan(0);
  });

  test("shares the allowance between modules and between memories that are imported", async () => {
    const tank = new TestTank({ pages: 5 });
    const first = await meteredInstance(MEMORY, tank);
    const wat = `(module (import "" "m" (memory 1 60))
      (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`;
    const second = await meteredInstance(wat, tank, { "": { m: first.exports.m } });
    expect((first.exports.grow as Grow)(3)).toBe(1);
    expect((second.exports.grow as Grow)(3)).toBe(-1);
    expect((second.exports.grow as Grow)(2)).toBe(4);
    expect((first.exports.grow as Grow)(1)).toBe(-1);
  });

  test("costs what it cost, however often it is refused", async () => {
    const tank = new TestTank({ pages: 0 });
    const { grow } = await grown(MEMORY, tank);
    for (let i = 0; i < 100; i++) expect(grow(60_000)).toBe(-1);
    expect(tank.used).toBe(100 * MEMORY_FIXED);
  });
});

describe("growing a table", () => {
  test("answers the old size, takes from the allowance and pays by the element", async () => {
    const tank = new TestTank({ elements: 10 });
    const { grow, elements } = await grown(TABLE, tank);
    expect(grow(4)).toBe(1);
    expect(elements()).toBe(5);
    expect(tank.elements.value).toBe(6);
    expect(tank.used).toBe(TABLE_FIXED + 4 * 12);
  });

  test.each([11, -1])("beyond the allowance answers -1 and is free: by %i", async (by) => {
    const tank = new TestTank({ elements: 10 });
    const { grow, elements } = await grown(TABLE, tank);
    expect(grow(by)).toBe(-1);
    expect(elements()).toBe(1);
    expect(tank.used).toBe(TABLE_FIXED);
  });

  test("fills the new elements with the value that it is given", async () => {
    const wat = `(module (table (export "t") 0 externref)
      (func (export "grow") (param externref) (result i32) (table.grow (local.get 0) (i32.const 2))))`;
    const { exports } = await meteredInstance(wat, new TestTank());
    const value = {};
    expect((exports.grow as (value: unknown) => number)(value)).toBe(0);
    expect((exports.t as WebAssembly.Table).get(1)).toBe(value);
  });
});
