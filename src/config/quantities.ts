import { LIMIT_RANGES } from "../hooks/limits.js";
import { isFixed, type ModuleLimit, mostOf } from "../hooks/module-limits.js";

/** What a quantity was read as: a whole number of its unit, or what is wrong with it and the fix. */
export type Quantity = { value: number } | { fault: string };

interface Scale {
  /** What the quantity is, and what is counted. */
  noun: string;
  unit: string;
  /** How many of the unit a suffix stands for; "" is a bare number. */
  suffixes: ReadonlyMap<string, bigint>;
  min: bigint;
  max: bigint;
  /** `min` and `max` in words that can be written in the file. */
  range: string;
  /** What to write, by example. */
  advice: string;
}

const KIB = 1024n;
const MIB = 1024n * KIB;
const GIB = 1024n * MIB;
const SECOND = 1000n;
const HOUR = 3600n * SECOND;

const BYTES = new Map([
  ["", 1n],
  ["KiB", KIB],
  ["MiB", MIB],
  ["GiB", GIB],
]);
const DURATION = new Map([
  ["ms", 1n],
  ["s", SECOND],
  ["m", 60n * SECOND],
  ["h", HOUR],
]);

const FUEL: Scale = {
  noun: "a count",
  unit: "units of fuel",
  suffixes: new Map([
    ["", 1n],
    ["k", 1000n],
    ["M", 1_000_000n],
    ["G", 1_000_000_000n],
  ]),
  min: BigInt(LIMIT_RANGES.fuel.min),
  max: BigInt(LIMIT_RANGES.fuel.max),
  range: "1 and 1000000G",
  advice: "write a count such as 500000, 500k, 100M or 1.5G",
};

const MEMORY: Scale = {
  noun: "a size",
  unit: "bytes",
  suffixes: BYTES,
  min: BigInt(LIMIT_RANGES.memoryBytes.min),
  max: BigInt(LIMIT_RANGES.memoryBytes.max),
  range: "64KiB and 4GiB",
  advice: "write a size such as 65536, 512KiB, 64MiB or 1GiB",
};

const TEXT_SIZE: Scale = {
  noun: "a size",
  unit: "bytes",
  suffixes: BYTES,
  min: BigInt(LIMIT_RANGES.outputBytes.min),
  max: BigInt(LIMIT_RANGES.outputBytes.max),
  range: "1 and 64MiB",
  advice: "write a size such as 65536, 64KiB or 1MiB",
};

const COUNT = {
  noun: "a count",
  suffixes: new Map([["", 1n]]),
  advice: "write a whole number such as 1000",
};

const DEADLINE: Scale = {
  noun: "a time",
  unit: "milliseconds",
  suffixes: DURATION,
  min: BigInt(LIMIT_RANGES.deadlineMs.min),
  max: BigInt(LIMIT_RANGES.deadlineMs.max),
  range: "1ms and 24h",
  advice: "write a time with its unit, such as 500ms, 10s or 2m",
};

const TIMEOUT: Scale = {
  ...DEADLINE,
  suffixes: new Map([["", SECOND], ...DURATION]),
  advice: "write seconds such as 30, or a time such as 500ms, 10s or 2m",
};

/** Fuel: a count, `k`, `M` and `G` being powers of 1000. */
export function parseFuel(text: string): Quantity {
  return parse(text, FUEL);
}

/** Linear memory in bytes, `KiB`, `MiB` and `GiB` being powers of 1024. */
export function parseMemory(text: string): Quantity {
  return parse(text, MEMORY);
}

/** The size of a text in bytes, as for memory. */
export function parseTextSize(text: string): Quantity {
  return parse(text, TEXT_SIZE);
}

/** A time in milliseconds; a number alone is refused, since nothing says what it counts. */
export function parseDeadline(text: string): Quantity {
  return parse(text, DEADLINE);
}

/** A time in milliseconds; a number alone counts seconds, as agents have it for `timeout`. */
export function parseTimeout(text: string): Quantity {
  return parse(text, TIMEOUT);
}

/** A limit of a module: a size in bytes where its name says so, and else a count. */
export function parseModuleLimit(limit: ModuleLimit, text: string): Quantity {
  const max = BigInt(mostOf(limit));
  const isSize = limit.endsWith("Bytes");
  const most = isSize ? sizeText(max) : `${max}`;
  return parse(text, {
    ...(isSize ? TEXT_SIZE : { ...COUNT, unit: limit }),
    min: 0n,
    max,
    range: `0 and ${most}${isFixed(limit) ? ", its default, which protects the engine's compilers" : ""}`,
  });
}

/** A size in the largest unit that it is a whole number of. */
function sizeText(bytes: bigint): string {
  const [suffix, factor] = [...BYTES].findLast(([, unit]) => bytes % unit === 0n) ?? ["", 1n];
  return `${bytes / factor}${suffix}`;
}

/** Exact: a value such as 1.5M is never a floating-point number on its way. */
function parse(written: string, scale: Scale): Quantity {
  const text = written.trim();
  const match = text.length <= 40 ? /^(-?)([0-9]+)(?:\.([0-9]+))?\s*([A-Za-z]*)$/.exec(text) : null;
  const factor = scale.suffixes.get(match?.[4] ?? "");
  if (match === null || factor === undefined) return { fault: `is not ${scale.noun}: ${scale.advice}` };
  const [, sign, whole = "", fraction = ""] = match;
  const scaled = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  const value = (sign === "-" ? -scaled : scaled) / divisor;
  if (scaled % divisor !== 0n) {
    return { fault: `is not a whole number of ${scale.unit}: ${scale.advice}` };
  }
  if (value < scale.min || value > scale.max) {
    return { fault: `is out of range: give a value between ${scale.range}` };
  }
  return { value: Number(value) };
}
