import { z } from "zod";
import { WasmhookError } from "../errors.js";
import { ACTIONS, type Decision } from "./decision.js";
import { isToolMoment, type Moment } from "./event.js";
import { isJsonObject, type JsonObject, jsonDepth, MAX_JSON_DEPTH } from "./json.js";
import { nearest } from "./nearest.js";

const decision = z.object({
  action: z.enum(ACTIONS),
  reason: z.string(),
  response: z.string(),
  input: z.record(z.string(), z.unknown()),
  prompt: z.string(),
  context: z.string(),
  notice: z.string(),
});
const DECISION_KEYS = Object.keys(decision.shape);
const partial = decision.partial();

/** What each moment allows a decision to hold, beside `notice`, which is always allowed. */
const LEGAL: Record<Moment, readonly string[]> = {
  preGeneration: ["stop", "prompt", "context"],
  preToolCall: ["deny", "allow", "ask", "input", "context"],
  postToolCall: ["context"],
  postGeneration: [],
};

/** A decision, and what in its JSON was not understood and so had no effect. */
export interface ParsedDecision {
  decision: Decision;
  ignored: string[];
}

/**
 * Reads a canonical decision: nothing but white space, or one JSON object.
 * Keys that no decision has are left out and told in `ignored`, so that a hook's clear `deny` is never
 * lost for a stray key; an object with none but such keys is no decision.
 * @throws WasmhookError `bad-decision` for all that is illegal at this moment.
 */
export function parseDecision(text: string, moment: Moment): ParsedDecision {
  if (text.trim() === "") return { decision: {}, ignored: [] };
  return checkDecision(parseOneObject(text), moment);
}

/** One JSON object out of a hook's output. @throws WasmhookError `bad-decision` */
export function parseOneObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad(
      `the output is not one JSON object: it starts with ${JSON.stringify(text.trim().slice(0, 40))}`,
    );
  }
  if (!isJsonObject(value)) throw bad("the output is JSON, but not an object: print one object, or nothing");
  if (jsonDepth(value) > MAX_JSON_DEPTH)
    throw bad(`the decision is nested deeper than ${MAX_JSON_DEPTH} levels`);
  return value;
}

/** Checks an object in the canonical spelling. @throws WasmhookError `bad-decision` */
export function checkDecision(value: JsonObject, moment: Moment): ParsedDecision {
  const keys = Object.keys(value);
  const ignored = keys.filter((key) => !DECISION_KEYS.includes(key));
  if (keys.length > 0 && ignored.length === keys.length) {
    throw bad(`the decision has none of the known fields: ${describeUnknown(ignored[0] ?? "")}`, ignored[0]);
  }
  const checked = partial.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const field = issue?.path.join(".") ?? "";
    throw bad(`the decision's "${field}" is wrong: ${issue?.message ?? "unexpected value"}`, field);
  }
  refuseIllegal(value, moment);
  const decision = Object.fromEntries(
    Object.entries(value).filter(([key]) => !ignored.includes(key)),
  ) as Decision;
  return { decision, ignored: ignored.map(describeUnknown) };
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

function describeUnknown(key: string): string {
  const meant = nearest(key, DECISION_KEYS);
  return `"${key.slice(0, 40)}" is no field of a decision${meant === undefined ? "" : `, did you mean "${meant}"?`}`;
}

function bad(message: string, field?: string): WasmhookError<"bad-decision"> {
  return new WasmhookError("bad-decision", message, field === undefined ? {} : { field });
}
