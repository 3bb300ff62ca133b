import type { JsonObject, JsonValue } from "../hooks/json.js";

/** The first `limit` characters (code points: none is cut in two). */
export function capChars(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return [...text.slice(0, 2 * limit)].slice(0, limit).join("");
}

/**
 * Cuts an object's long string values, however deep they lie, and lists what was cut under `_truncated`
 * by key (`a.b` for a nested one), so that a reader can tell a short value from a cut one.
 */
export function capStrings(input: JsonObject, limit: number): JsonObject {
  const truncated: string[] = [];
  const capped = capValue(input, "", limit, truncated) as JsonObject;
  return truncated.length === 0 ? capped : { ...capped, _truncated: truncated };
}

function capValue(value: JsonValue, path: string, limit: number, truncated: string[]): JsonValue {
  if (typeof value === "string") {
    const capped = capChars(value, limit);
    if (capped !== value) truncated.push(path);
    return capped;
  }
  if (typeof value !== "object" || value === null) return value;
  const within = (key: string | number): string => (path === "" ? `${key}` : `${path}.${key}`);
  if (Array.isArray(value))
    return value.map((item, index) => capValue(item, within(index), limit, truncated));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, capValue(item, within(key), limit, truncated)]),
  );
}
