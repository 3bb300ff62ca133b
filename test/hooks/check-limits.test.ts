import { expect, it } from "vitest";
import { checkLimits } from "#src/hooks/check-limits";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { isFixed, MODULE_LIMITS, mostOf } from "#src/hooks/module-limits";
import { loadHooks } from "#src/index";

const KEYS = ["fuel", "memoryBytes", "outputBytes", "logsBytes", "deadlineMs"] as const;
/** As the README has them for the keys of a file. */
const RANGES: Record<(typeof KEYS)[number], [min: number, max: number]> = {
  fuel: [1, 1_000_000 * 1_000_000_000],
  memoryBytes: [65_536, 4_294_967_296],
  outputBytes: [1, 67_108_864],
  logsBytes: [1, 67_108_864],
  deadlineMs: [1, 86_400_000],
};

function refusal(limits: unknown): unknown {
  try {
    return checkLimits(limits);
  } catch (error) {
    return error;
  }
}

it("what is not given has its default", () => {
  for (const given of [
    undefined,
    null,
    {},
    { fuel: undefined },
    { module: {} },
    { module: { types: undefined } },
  ])
    expect(checkLimits(given)).toEqual(DEFAULT_LIMITS);
  expect(checkLimits({ fuel: 7 })).toEqual({ ...DEFAULT_LIMITS, fuel: 7 });
});

it.each(KEYS)("%s is taken at both ends of its range, and refused beyond", (key) => {
  const [min, max] = RANGES[key];
  for (const value of [min, max]) expect(checkLimits({ [key]: value })[key]).toBe(value);
  for (const value of [min - 1, max + 1, min + 0.5, Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    expect(refusal({ [key]: value })).toMatchObject({
      name: "WasmhookError",
      code: "usage",
      message: `the limit "${key}" is ${value}: give a whole number between ${min} and ${max}`,
    });
  }
});

it.each(MODULE_LIMITS)("module.%s is taken at both ends of its range, and refused beyond", (limit) => {
  const max = mostOf(limit);
  for (const value of [0, max]) {
    expect(checkLimits({ module: { [limit]: value } })).toEqual({
      ...DEFAULT_LIMITS,
      module: { [limit]: value },
    });
  }
  const why = isFixed(limit) ? ", its default, which protects the engine's compilers" : "";
  for (const value of [-1, max + 1, 0.5, Number.NaN]) {
    expect(refusal({ module: { [limit]: value } })).toMatchObject({
      code: "usage",
      message: `the limit "module.${limit}" is ${value}: give a whole number between 0 and ${max}${why}`,
    });
  }
});

it.each<[unknown, string]>([
  [
    { fuel: "100M" },
    'the limit "fuel" is the text "100M": give a whole number between 1 and 1000000000000000',
  ],
  [{ fuel: null }, 'the limit "fuel" is null: give a whole number between 1 and 1000000000000000'],
  [{ fuel: 5n }, 'the limit "fuel" is 5: give a whole number between 1 and 1000000000000000'],
  [{ memory: 65_536 }, 'there is no limit "memory": did you mean "memoryBytes"?'],
  [{ feul: 1 }, 'there is no limit "feul": did you mean "fuel"?'],
  [
    { toString: 1 },
    'there is no limit "toString": use fuel, memoryBytes, outputBytes, logsBytes, deadlineMs, module',
  ],
  [7, '"limits" is 7: give an object with numbers such as fuel'],
  [{ module: 7 }, '"limits.module" is 7: give an object with numbers such as functions'],
  [{ modul: {} }, 'there is no limit "modul": did you mean "module"?'],
  [{ module: { functons: 1 } }, 'there is no limit "module.functons": did you mean "module.functions"?'],
  [
    { module: { tables: "1" } },
    'the limit "module.tables" is the text "1": give a whole number between 0 and 64',
  ],
])("%o is refused with what to do", (limits, message) => {
  expect(refusal(limits)).toMatchObject({ code: "usage", message });
});

it("loadHooks refuses them before it reads the file", async () => {
  await expect(loadHooks("/no/such/file", { limits: { deadlineMs: 0 } })).rejects.toMatchObject({
    code: "usage",
  });
});
