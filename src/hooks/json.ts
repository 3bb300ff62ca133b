export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Deeper values are refused: encoders recurse, and a guest's stack is small. */
export const MAX_JSON_DEPTH = 512;

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * How deep objects and arrays are nested: 0 for a scalar. Does not recurse, stops above `MAX_JSON_DEPTH`, and
 * takes a value that is shared once a level, so that neither cycles nor sharing make it long.
 */
export function jsonDepth(value: unknown): number {
  let level = containers([value]);
  let depth = 0;
  while (level.size > 0 && depth <= MAX_JSON_DEPTH) {
    depth++;
    const next = new Set<object>();
    for (const item of level) for (const child of containers(Object.values(item))) next.add(child);
    level = next;
  }
  return depth;
}

function containers(values: readonly unknown[]): Set<object> {
  return new Set(values.filter((value) => typeof value === "object" && value !== null) as object[]);
}
