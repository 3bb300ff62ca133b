import { WasmhookError } from "../errors.js";
import type { JsonObject } from "./json.js";
import { nearest } from "./nearest.js";

/** Of a hook that fills its answer with fields, nobody wants to read of all. */
const DESCRIBED = 3;

/**
 * What to tell of the fields of a decision that no decision has: nothing where there are none.
 * @param refuses whether the decision denies, stops or asks, which holds in spite of such a field
 * @throws WasmhookError `bad-decision` where it does not: a field that was misunderstood may have been a refusal.
 */
export function tellUnknownFields(said: JsonObject, known: readonly string[], refuses: boolean): string[] {
  const unknown = Object.keys(said).filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  const sentence = `a decision has no field ${describeFields(unknown, known)}`;
  if (refuses) return [sentence];
  throw new WasmhookError("bad-decision", `${sentence}: use ${known.join(", ")}`, {
    field: unknown[0] ?? "",
  });
}

function describeFields(unknown: readonly string[], known: readonly string[]): string {
  const described = unknown.slice(0, DESCRIBED).map((key) => {
    const meant = nearest(key, known);
    const hint = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
    return `${JSON.stringify(key.slice(0, 40))}${hint}`;
  });
  const more = unknown.length - described.length;
  return `${described.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}
