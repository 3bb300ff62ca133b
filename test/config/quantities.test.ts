import { describe, expect, test } from "vitest";
import { parseDeadline, parseFuel, parseMemory, parseTextSize, parseTimeout } from "#src/config/quantities";

describe("a quantity", () => {
  test.each([
    [parseFuel, "1", 1],
    [parseFuel, "500k", 500_000],
    [parseFuel, "100M", 100_000_000],
    [parseFuel, "1.5M", 1_500_000],
    [parseFuel, "2G", 2_000_000_000],
    [parseFuel, "1000000G", 1_000_000_000_000_000],
    [parseFuel, " 7 k ", 7000],
    [parseMemory, "65536", 65_536],
    [parseMemory, "64KiB", 65_536],
    [parseMemory, "64 MiB", 67_108_864],
    [parseMemory, "4GiB", 4_294_967_296],
    [parseMemory, "1.5MiB", 1_572_864],
    [parseTextSize, "1", 1],
    [parseTextSize, "0.5KiB", 512],
    [parseTextSize, "64MiB", 67_108_864],
    [parseDeadline, "500ms", 500],
    [parseDeadline, "10s", 10_000],
    [parseDeadline, "1.001s", 1001],
    [parseDeadline, "24h", 86_400_000],
    [parseTimeout, "30", 30_000],
    [parseTimeout, "0.5", 500],
    [parseTimeout, "500ms", 500],
    [parseTimeout, "2m", 120_000],
  ])("is read exactly: %# %s", (parse, text, value) => {
    expect(parse(text)).toEqual({ value });
  });

  test("is never rounded on the way, as floating point would round 0.29 * 100", () => {
    expect(parseFuel("0.29k")).toEqual({ value: 290 });
    expect(parseFuel("4.35k")).toEqual({ value: 4350 });
    expect(parseFuel("1.005M")).toEqual({ value: 1_005_000 });
  });

  test.each([
    [parseFuel, ""],
    [parseFuel, "many"],
    [parseFuel, "1e6"],
    [parseFuel, "0x10"],
    [parseFuel, ".5M"],
    [parseFuel, "1_000"],
    [parseFuel, "100m"],
    [parseFuel, "1constructor"],
    [parseFuel, ".nan"],
    [parseFuel, ".inf"],
    [parseFuel, "9".repeat(41)],
    [parseMemory, "64MB"],
    [parseMemory, "64mib"],
    [parseMemory, "64M"],
    [parseDeadline, "10 sec"],
    [parseTimeout, "1:30"],
  ])("that is none is refused with what to write: %# %s", (parse, text) => {
    expect(parse(text)).toEqual({
      fault: expect.stringMatching(/^is not a (count|size|time): write .* such as /),
    });
  });

  test("of time needs its unit where nothing says what a number alone counts", () => {
    expect(parseDeadline("10")).toEqual({
      fault: "is not a time: write a time with its unit, such as 500ms, 10s or 2m",
    });
  });

  test.each([
    [parseFuel, "0.5", "is not a whole number of units of fuel: "],
    [parseMemory, "100.3KiB", "is not a whole number of bytes: "],
    [parseDeadline, "0.5ms", "is not a whole number of milliseconds: "],
  ])("that is not whole in its unit is refused: %# %s", (parse, text, fault) => {
    expect(parse(text)).toEqual({ fault: expect.stringContaining(fault) });
  });

  test.each([
    [parseFuel, "0", "between 1 and 1000000G"],
    [parseFuel, "-5", "between 1 and 1000000G"],
    [parseFuel, "-0", "between 1 and 1000000G"],
    [parseFuel, "1000001G", "between 1 and 1000000G"],
    [parseFuel, "9".repeat(40), "between 1 and 1000000G"],
    [parseMemory, "64", "between 64KiB and 4GiB"],
    [parseMemory, "4294967297", "between 64KiB and 4GiB"],
    [parseTextSize, "0", "between 1 and 64MiB"],
    [parseTextSize, "65MiB", "between 1 and 64MiB"],
    [parseDeadline, "0ms", "between 1ms and 24h"],
    [parseTimeout, "0", "between 1ms and 24h"],
    [parseTimeout, "-1", "between 1ms and 24h"],
    [parseTimeout, "86401", "between 1ms and 24h"],
  ])("out of range is refused with the range: %# %s", (parse, text, range) => {
    expect(parse(text)).toEqual({ fault: `is out of range: give a value ${range}` });
  });
});
