import { describe, expect, test } from "vitest";
import { MAX_FUEL } from "#src/sandbox/meter-contract";
import { PAGE_BYTES, TABLE_ELEMENTS_LIMIT, Tank } from "#src/sandbox/tank";

describe("a tank", () => {
  test("that is empty stays empty, whatever more is charged", () => {
    const tank = new Tank(10, PAGE_BYTES);
    tank.charge(10);
    expect([tank.exhausted, tank.fuelUsed]).toEqual([false, 10]);
    tank.charge(1);
    expect([tank.exhausted, tank.fuelUsed]).toEqual([true, 10]);
    for (let i = 0; i < 5; i++) {
      tank.charge(MAX_FUEL);
      expect(tank.exhausted).toBe(true);
    }
  });

  test("gives the pages that a guest starts with, and none where there are not enough", () => {
    const tank = new Tank(10, 3 * PAGE_BYTES + 1);
    expect(tank.claim({ pages: 2, elements: 0 })).toBeUndefined();
    expect(tank.claim({ pages: 2, elements: 0 })).toBe("pages");
    expect(tank.peakMemoryBytes).toBe(2 * PAGE_BYTES);
    expect(tank.claim({ pages: 1, elements: 0 })).toBeUndefined();
    expect(tank.claim({ pages: 1, elements: 0 })).toBe("pages");
  });

  test("gives the elements that a guest's tables start with, and none where there are not enough", () => {
    const tank = new Tank(10, PAGE_BYTES);
    expect(tank.claim({ pages: 0, elements: TABLE_ELEMENTS_LIMIT - 1 })).toBeUndefined();
    expect(tank.claim({ pages: 1, elements: 2 })).toBe("elements");
    expect(tank.peakMemoryBytes).toBe(0);
    expect(tank.claim({ pages: 0, elements: 1 })).toBeUndefined();
    expect(tank.claim({ pages: 0, elements: 1 })).toBe("elements");
  });
});
