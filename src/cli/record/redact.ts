import { isJsonObject, type JsonValue } from "../../hooks/json.js";

const REDACTED = "[redacted]";

/**
 * Takes what stands at a path out of a JSON value. A path is names with dots between them, where `*` is any one name
 * and `**` any number of them; items of lists are named by their numbers, from 0.
 * What is taken out keeps its shape, so that the event stays one: texts become `[redacted]`, or `/[redacted]` where
 * they were absolute paths, numbers 0 and booleans false. Keys and nulls stay.
 */
export function redact(value: JsonValue, path: string): JsonValue {
  return redactAt(value, path.split("."));
}

function redactAt(value: JsonValue, path: readonly string[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return blank(value);
  if (name === "**") {
    return eachChild(redactAt(value, rest), (child) => redactAt(child, path));
  }
  return eachChild(value, (child, key) => (name === "*" || name === key ? redactAt(child, rest) : child));
}

function blank(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.startsWith("/") ? `/${REDACTED}` : REDACTED;
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return false;
  return eachChild(value, blank);
}

function eachChild(value: JsonValue, change: (child: JsonValue, key: string) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item, i) => change(item, String(i)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child, key)]));
}
