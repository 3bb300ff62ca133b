import { WasmhookError } from "../errors.js";
import type { HookEvent } from "./event.js";
import { MAX_JSON_DEPTH } from "./json.js";
import { EVENT_BYTES_LIMIT } from "./limits.js";
import { parseEvent } from "./parse-event.js";
import { utf8Bytes } from "./utf8-bytes.js";

/**
 * The event as it is now, as JSON has it: what its owner does to it later changes nothing.
 * @throws WasmhookError `bad-event` for what JSON has not, `event-too-large`, or what `parseEvent` throws.
 */
export function snapshotEvent(event: unknown): HookEvent {
  const text = toJson(event);
  const bytes = utf8Bytes(text);
  if (bytes >= EVENT_BYTES_LIMIT) throw tooLarge(bytes);
  return parseEvent(JSON.parse(text));
}

function toJson(event: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(event);
  } catch {
    // A cycle, a BigInt, a `toJSON` or a getter that throws, too deep for the engine, or longer than any string.
  }
  if (text !== undefined) return text;
  const message =
    "the event cannot be written as JSON: give a plain object of JSON values, " +
    `without cycles and at most ${MAX_JSON_DEPTH} levels deep`;
  throw new WasmhookError("bad-event", message, { field: "" });
}

function tooLarge(bytes: number): WasmhookError<"event-too-large"> {
  const message = `the event has ${bytes} bytes as JSON: give one of less than ${EVENT_BYTES_LIMIT}`;
  return new WasmhookError("event-too-large", message, { bytes, limitBytes: EVENT_BYTES_LIMIT });
}
