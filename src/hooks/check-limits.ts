import { WasmhookError } from "../errors.js";
import type { Limits } from "./hook.js";
import { DEFAULT_LIMITS, LIMIT_RANGES } from "./limits.js";
import { nearest } from "./nearest.js";
import { printableLine } from "./printable.js";

const KEYS = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];

/**
 * Limits that an embedder gave, over the defaults; `undefined` stands for the default.
 * @throws WasmhookError `usage` for a key that is no limit, and for what is no whole number in its range.
 */
export function checkLimits(given: unknown): Limits {
  if (given === undefined || given === null) return DEFAULT_LIMITS;
  if (typeof given !== "object") {
    throw usage(`"limits" is ${shown(given)}: give an object with numbers such as fuel`);
  }
  const limits = { ...DEFAULT_LIMITS };
  for (const [key, value] of Object.entries(given)) {
    if (!isLimit(key)) throw unknownKey(key);
    if (value !== undefined) limits[key] = checkLimit(key, value);
  }
  return limits;
}

function isLimit(key: string): key is keyof Limits {
  return Object.hasOwn(DEFAULT_LIMITS, key);
}

function checkLimit(key: keyof Limits, value: unknown): number {
  const { min, max } = LIMIT_RANGES[key];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw usage(`the limit "${key}" is ${shown(value)}: give a whole number between ${min} and ${max}`);
}

function unknownKey(key: string): WasmhookError<"usage"> {
  const meant = nearest(key, KEYS);
  const hint = meant === undefined ? `use ${KEYS.join(", ")}` : `did you mean "${meant}"?`;
  return usage(`there is no limit "${printableLine(key, 80)}": ${hint}`);
}

function shown(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return typeof value === "string" ? `the text "${printableLine(value, 80)}"` : text;
}

function usage(message: string): WasmhookError<"usage"> {
  return new WasmhookError("usage", message, {});
}
