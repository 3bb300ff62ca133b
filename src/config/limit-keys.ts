import type { Limits, RunLimits } from "../hooks/hook.js";
import { MODULE_LIMITS, type ModuleLimits } from "../hooks/module-limits.js";
import { checkKeys } from "./keys.js";
import type { Report } from "./problem.js";
import {
  parseDeadline,
  parseFuel,
  parseMemory,
  parseModuleLimit,
  parseTextSize,
  type Quantity,
} from "./quantities.js";
import { describe, type Entry, isNull, type MapNode, quote } from "./tree.js";

const KEYS = {
  fuel: { field: "fuel", parse: parseFuel },
  memory: { field: "memoryBytes", parse: parseMemory },
  output: { field: "outputBytes", parse: parseTextSize },
  logs: { field: "logsBytes", parse: parseTextSize },
  deadline: { field: "deadlineMs", parse: parseDeadline },
} as const satisfies Record<string, { field: keyof RunLimits; parse: (text: string) => Quantity }>;

const KNOWN = Object.keys(KEYS) as (keyof typeof KEYS)[];

/** Reads a `limits:` map, of a file or of a hook. */
export function readLimits(entry: Entry | undefined, report: Report): Partial<Limits> {
  const map = mapOf(entry, "fuel: 100M", report);
  if (map === undefined) return {};
  checkKeys(map, [...KNOWN, "module"], report);
  const limits: Partial<Limits> = {};
  for (const key of KNOWN) {
    const value = readQuantity(map.entries.get(key), KEYS[key].parse, report);
    if (value !== undefined) limits[KEYS[key].field] = value;
  }
  const module = readModuleLimits(map.entries.get("module"), report);
  return Object.keys(module).length === 0 ? limits : { ...limits, module };
}

/** What a module may have at all. */
function readModuleLimits(entry: Entry | undefined, report: Report): Partial<ModuleLimits> {
  const map = mapOf(entry, "functions: 5000", report);
  if (map === undefined) return {};
  checkKeys(map, MODULE_LIMITS, report);
  const limits: Partial<ModuleLimits> = {};
  for (const limit of MODULE_LIMITS) {
    const value = readQuantity(map.entries.get(limit), (text) => parseModuleLimit(limit, text), report);
    if (value !== undefined) limits[limit] = value;
  }
  return limits;
}

/** The map of an entry that has anything in it. */
function mapOf(entry: Entry | undefined, example: string, report: Report): MapNode | undefined {
  if (entry === undefined || isNull(entry.value)) return undefined;
  const { key, value } = entry;
  if (value.kind === "map") return value;
  const message = `"${key}" takes a map and not ${describe(value)}: write keys such as ${example}`;
  report("bad-type", value.at, message);
  return undefined;
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
