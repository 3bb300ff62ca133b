import { WasmhookError } from "../errors.js";
import { nearest } from "./nearest.js";

/** What a dialect calls the field that names an event, and what stands there instead of one of its events. */
interface UnknownName {
  field: string;
  name: unknown;
  /** The word for a name that is not there at all. */
  absent: string;
  known: readonly string[];
}

/** An event whose name is none of the dialect's, with the one that was most likely meant. */
export function unknownEvent({ field, name, absent, known }: UnknownName): WasmhookError<"event-unknown"> {
  const found = typeof name === "string" ? name : (JSON.stringify(name) ?? absent);
  const meant = typeof name === "string" ? nearest(name, known) : undefined;
  const hint = meant === undefined ? `use one of ${known.join(", ")}` : `did you mean ${meant}?`;
  const message = `"${field}" is ${found.slice(0, 80)}, which is no event: ${hint}`;
  return new WasmhookError("event-unknown", message, { found });
}
