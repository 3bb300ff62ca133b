import { WasmhookError } from "../errors.js";
import type { Limits } from "./hook.js";
import { DEFAULT_LIMITS, LIMIT_RANGES, withLimits } from "./limits.js";
import { isFixed, MODULE_LIMITS, type ModuleLimit, mostOf } from "./module-limits.js";
import { nearest } from "./nearest.js";
import { printableLine } from "./printable.js";

/** What a limit may be set to, both ends included. */
interface Range {
  min: number;
  max: number;
  /** Why it may be no more. */
  because?: string;
}

const MODULE_RANGES = Object.fromEntries(
  MODULE_LIMITS.map((limit) => [limit, moduleRange(limit)]),
) as Readonly<Record<ModuleLimit, Range>>;

function moduleRange(limit: ModuleLimit): Range {
  const range = { min: 0, max: mostOf(limit) };
  return isFixed(limit)
    ? { ...range, because: ", its default, which protects the engine's compilers" }
    : range;
}

/**
 * Limits that an embedder gave, over the defaults; `undefined` stands for the default.
 * @throws WasmhookError `usage` for a key that is no limit, and for what is no whole number in its range.
 */
export function checkLimits(given: unknown): Limits {
  const { module, ...run } = objectOf("limits", given, "fuel");
  return withLimits(DEFAULT_LIMITS, {
    ...checked("", run, LIMIT_RANGES, ["module"]),
    module: checked("module.", objectOf("limits.module", module, "functions"), MODULE_RANGES),
  });
}

function objectOf(name: string, given: unknown, example: string): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (typeof given === "object") return { ...given };
  throw usage(`"${name}" is ${shown(given)}: give an object with numbers such as ${example}`);
}

function checked<K extends string>(
  prefix: string,
  given: Record<string, unknown>,
  ranges: Readonly<Record<K, Range>>,
  alsoKnown: readonly string[] = [],
): Partial<Record<K, number>> {
  const limits: Partial<Record<K, number>> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!isKeyOf(ranges, key)) throw unknownKey(prefix, key, [...Object.keys(ranges), ...alsoKnown]);
    if (value !== undefined) limits[key] = checkedLimit(`${prefix}${key}`, value, ranges[key]);
  }
  return limits;
}

function isKeyOf<K extends string>(ranges: Readonly<Record<K, Range>>, key: string): key is K {
  return Object.hasOwn(ranges, key);
}

function checkedLimit(name: string, value: unknown, { min, max, because = "" }: Range): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw usage(
    `the limit "${name}" is ${shown(value)}: give a whole number between ${min} and ${max}${because}`,
  );
}

function unknownKey(prefix: string, key: string, known: readonly string[]): WasmhookError<"usage"> {
  const meant = nearest(key, known);
  const hint = meant === undefined ? `use ${known.join(", ")}` : `did you mean "${prefix}${meant}"?`;
  return usage(`there is no limit "${prefix}${printableLine(key, 80)}": ${hint}`);
}

function shown(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return typeof value === "string" ? `the text "${printableLine(value, 80)}"` : text;
}

function usage(message: string): WasmhookError<"usage"> {
  return new WasmhookError("usage", message, {});
}
