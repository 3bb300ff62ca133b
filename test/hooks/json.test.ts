import { describe, expect, it } from "vitest";
import { jsonDepth, MAX_JSON_DEPTH } from "#src/hooks/json";

describe("the depth of a JSON value", () => {
  it.each<[unknown, number]>([
    [null, 0],
    ["text", 0],
    [[], 1],
    [{}, 1],
    [[1, { a: [] }], 3],
    [{ a: [[]], b: 1 }, 3],
  ])("of %j is %i", (value, depth) => {
    expect(jsonDepth(value)).toBe(depth);
  });

  it("of what is shared is the longest way to it, at no cost for the number of ways", () => {
    let value: unknown = [];
    for (let i = 0; i < 60; i++) value = [value, value];
    expect(jsonDepth([value, []])).toBe(62);
  });

  it("of a cycle is more than is allowed", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    expect(jsonDepth(cycle)).toBe(MAX_JSON_DEPTH + 1);
  });
});
