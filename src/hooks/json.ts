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

/** How deep objects and arrays are nested: 0 for a scalar. Does not recurse; stops above `MAX_JSON_DEPTH`. */
export function jsonDepth(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (depth <= MAX_JSON_DEPTH) {
    const next: unknown[] = [];
    let containers = false;
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      containers = true;
      for (const child of Object.values(item)) next.push(child);
    }
    if (!containers) return depth;
    depth++;
    level = next;
  }
  return depth;
}
