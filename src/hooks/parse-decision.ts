import { z } from "zod";
import { WasmhookError } from "../errors.js";
import { ACTIONS, type Action, type Decision } from "./decision.js";
import { describeValue, orElse } from "./describe-value.js";
import { duplicateKey } from "./duplicate-key.js";
import { isToolMoment, type Moment } from "./event.js";
import { isJsonObject, type JsonObject, jsonDepth, MAX_JSON_DEPTH } from "./json.js";
import { tellUnknownFields } from "./unknown-fields.js";

const text = z.string(orElse("give a string"));
const decision = z.object({
  action: z.enum(ACTIONS, orElse("use deny, allow, ask or stop")),
  reason: text.describe("Why, for the model."),
  response: text.describe("What the user reads in place of an answer."),
  input: z
    .record(z.string(), z.unknown(), orElse("give an object"))
    .describe("Replaces the tool's arguments as a whole."),
  prompt: text.describe("Replaces the prompt as a whole."),
  context: text.describe("Is added for the model."),
  notice: text.describe("Is for the user, never for the model."),
});
/** Each field that a decision may have. */
export const DECISION_FIELDS = decision.shape;
const DECISION_KEYS = Object.keys(DECISION_FIELDS);
const partial = decision.partial();

/** What each moment allows a decision to hold, beside `notice`, which is always allowed. */
export const LEGAL: Record<Moment, readonly string[]> = {
  preGeneration: ["stop", "prompt", "context"],
  preToolCall: ["deny", "allow", "ask", "input", "context"],
  postToolCall: ["context"],
  postGeneration: [],
};

/** What holds in spite of a field that no decision has. */
export const REFUSALS: readonly Action[] = ["deny", "stop", "ask"];

/** A decision, and what in its JSON was not understood and so had no effect. */
export interface ParsedDecision {
  decision: Decision;
  ignored: string[];
}

/**
 * Reads a canonical decision: nothing but white space, or one JSON object.
 * A field that no decision has is told in `ignored` where the hook denies, stops or asks anyway: a clear
 * refusal is never lost for a stray field. Any other decision with one is refused.
 * @throws WasmhookError `bad-decision` for all that is illegal at this moment.
 */
export function parseDecision(output: string, moment: Moment): ParsedDecision {
  if (output.trim() === "") return { decision: {}, ignored: [] };
  return checkDecision(parseOneObject(output), moment);
}

/** One JSON object, no key of it twice, out of a hook's output. @throws WasmhookError `bad-decision` */
export function parseOneObject(output: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    const start = JSON.stringify(output.trim().slice(0, 40));
    throw bad(
      `the output is not one JSON object: it starts with ${start}; print nothing but the JSON object`,
    );
  }
  if (!isJsonObject(value)) {
    throw bad(`the output is ${describeValue(value)}: print nothing but the JSON object`);
  }
  if (jsonDepth(value) > MAX_JSON_DEPTH) {
    throw bad(`the decision is nested deeper than ${MAX_JSON_DEPTH} levels: flatten it`);
  }
  const twice = duplicateKey(output);
  if (twice !== undefined) {
    const shown = JSON.stringify(twice.slice(0, 40));
    throw bad(`the decision has ${shown} twice, and which one counts nobody knows: give it once`, twice);
  }
  return value;
}

/** Checks an object in the canonical spelling. @throws WasmhookError `bad-decision` */
export function checkDecision(value: JsonObject, moment: Moment): ParsedDecision {
  const refuses = REFUSALS.some((action) => action === value.action);
  const ignored = tellUnknownFields(value, DECISION_KEYS, refuses);
  const checked = partial.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const field = issue?.path.join(".") ?? "";
    throw bad(`the decision's "${field}" ${issue?.message}`, field);
  }
  refuseIllegal(value, moment);
  const entries = Object.entries(value).filter(([key]) => DECISION_KEYS.includes(key));
  return { decision: Object.fromEntries(entries), ignored };
}

function refuseIllegal(value: JsonObject, moment: Moment): void {
  const parts = ["input", "prompt", "context"].filter((key) => value[key] !== undefined);
  if (typeof value.action === "string") parts.unshift(value.action);
  for (const part of parts) {
    if (LEGAL[moment].includes(part)) continue;
    const why = !moment.startsWith("post")
      ? ""
      : isToolMoment(moment)
        ? ": the tool has run"
        : ": the answer is given";
    throw bad(`"${part}" cannot be decided at ${moment}${why}`, part);
  }
  for (const [key, action] of [
    ["response", "stop"],
    ["reason", undefined],
  ] as const) {
    if (value[key] === undefined) continue;
    if (action === undefined ? value.action !== undefined : value.action === action) continue;
    throw bad(
      `"${key}" is given without ${action === undefined ? 'an "action"' : `"action": "${action}"`}`,
      key,
    );
  }
}

function bad(message: string, field?: string): WasmhookError<"bad-decision"> {
  return new WasmhookError("bad-decision", message, field === undefined ? {} : { field });
}
