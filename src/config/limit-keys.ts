import type { Limits } from "../hooks/hook.js";
import { checkKeys } from "./keys.js";
import type { Report } from "./problem.js";
import { parseDeadline, parseFuel, parseMemory, parseTextSize, type Quantity } from "./quantities.js";
import { describe, type Entry, isNull, quote } from "./tree.js";

const KEYS = {
  fuel: { field: "fuel", parse: parseFuel },
  memory: { field: "memoryBytes", parse: parseMemory },
  output: { field: "outputBytes", parse: parseTextSize },
  logs: { field: "logsBytes", parse: parseTextSize },
  deadline: { field: "deadlineMs", parse: parseDeadline },
} as const satisfies Record<string, { field: keyof Limits; parse: (text: string) => Quantity }>;

const KNOWN = Object.keys(KEYS) as (keyof typeof KEYS)[];

/** Reads a `limits:` map, of a file or of a hook. */
export function readLimits(entry: Entry | undefined, report: Report): Partial<Limits> {
  if (entry === undefined || isNull(entry.value)) return {};
  const map = entry.value;
  if (map.kind !== "map") {
    report(
      "bad-type",
      map.at,
      `"limits" takes a map and not ${describe(map)}: write keys such as fuel: 100M`,
    );
    return {};
  }
  checkKeys(map, KNOWN, report);
  const limits: Partial<Limits> = {};
  for (const key of KNOWN) {
    const value = readQuantity(map.entries.get(key), KEYS[key].parse, report);
    if (value !== undefined) limits[KEYS[key].field] = value;
  }
  return limits;
}

/** A quantity, written as a number or as a string. */
export function readQuantity(
  entry: Entry | undefined,
  parse: (text: string) => Quantity,
  report: Report,
): number | undefined {
  if (entry === undefined) return undefined;
  const { key, value } = entry;
  if (value.kind !== "scalar" || value.value === null || typeof value.value === "boolean") {
    report(
      "bad-type",
      value.at,
      `"${key}" takes a number, with or without a unit, and not ${describe(value)}: write one`,
    );
    return undefined;
  }
  const quantity = parse(value.text);
  if ("value" in quantity) return quantity.value;
  report("bad-value", value.at, `"${key}": ${quote(value.text)} ${quantity.fault}`);
  return undefined;
}
