import { z } from "zod";
import { WasmhookError } from "../errors.js";
import { orElse } from "./describe-value.js";
import { type HookEvent, isToolMoment, MOMENTS } from "./event.js";
import { isJsonObject, type JsonObject, jsonDepth, MAX_JSON_DEPTH } from "./json.js";
import { unknownEvent } from "./unknown-event.js";

const text = z.string(orElse("give a string"));
const ABSOLUTE = 'is not an absolute path: add "cwd": "/abs/path"';

/** Matchers are tried on it, and take longer the longer it is. */
const MAX_NAME_CHARS = 1024;

const toolCall = z.looseObject(
  {
    name: text
      .min(1, "is empty: give the tool's name")
      .max(MAX_NAME_CHARS, `has more than ${MAX_NAME_CHARS} characters: give a shorter name`),
    input: z.record(z.string(), z.unknown(), orElse("give an object")),
    output: text.optional().describe("What the tool gave, once it has run."),
    error: text.optional().describe("Why the tool failed, once it has."),
  },
  orElse("give an object"),
);

/** Of all moments; what else each has to have is checked beside it. */
export const EVENT_SCHEMA = z.looseObject({
  event: z.enum(MOMENTS),
  cwd: z.string(ABSOLUTE).startsWith("/", ABSOLUTE).describe("The directory that the agent works in."),
  session: text.optional(),
  agent: text.optional(),
  tool: toolCall.optional(),
  prompt: text.optional(),
  response: text.optional(),
});

/**
 * Checks a canonical event. Fields that are not ours are kept.
 * @throws WasmhookError `event-not-object`, `event-unknown`, `event-without-tool` or `bad-event`.
 */
export function parseEvent(value: unknown): HookEvent {
  if (!isJsonObject(value)) {
    throw new WasmhookError(
      "event-not-object",
      'the event is not a JSON object: give one object, such as {"event": "preToolCall", ...}',
      {},
    );
  }
  refuseDeep(value);
  refuseUnknownName(value);
  if (isToolMoment(value.event as HookEvent["event"]) && !isJsonObject(value.tool)) {
    throw new WasmhookError(
      "event-without-tool",
      `the event ${value.event} has no tool: add "tool": {"name": ..., "input": {...}}`,
      {},
    );
  }
  const checked = EVENT_SCHEMA.safeParse(value);
  if (!checked.success) throw badEvent(checked.error);
  // The value itself, not zod's copy: nothing that the agent sent is lost or reordered.
  const parsed = value as unknown as HookEvent;
  if (parsed.event === "preGeneration" && parsed.prompt === undefined) {
    throw new WasmhookError("bad-event", 'the event preGeneration has no prompt: add "prompt": "..."', {
      field: "prompt",
    });
  }
  return parsed;
}

function refuseDeep(value: JsonObject): void {
  if (jsonDepth(value) <= MAX_JSON_DEPTH) return;
  throw new WasmhookError(
    "bad-event",
    `the event is nested deeper than ${MAX_JSON_DEPTH} levels: flatten its tool input`,
    { field: "" },
  );
}

function refuseUnknownName({ event: name }: JsonObject): void {
  if (MOMENTS.some((moment) => moment === name)) return;
  throw unknownEvent({ field: "event", name, absent: "nothing", known: MOMENTS });
}

function badEvent(error: z.ZodError): WasmhookError {
  const issue = error.issues[0];
  const field = issue?.path.join(".") ?? "";
  return new WasmhookError("bad-event", `the event's "${field}" ${issue?.message}`, { field });
}
