import { z } from "zod";
import { ACTIONS, type Action } from "./decision.js";
import { isToolMoment, MOMENTS, type Moment } from "./event.js";
import { DECISION_FIELDS, LEGAL, REFUSALS } from "./parse-decision.js";
import { EVENT_SCHEMA } from "./parse-event.js";

/** The version of the contract that events and decisions are of. */
export const SCHEMA_VERSION = "1.0.0";

/**
 * The JSON Schema (2020-12) of a canonical event. It says all that `parseEvent` asks for but how deep an event may
 * be nested; and a tool's name is as long as it has characters, where that counts UTF-16 units.
 */
export function eventJsonSchema(): object {
  return byMoment("event", "What a wasm hook gets as JSON.", (moment) => {
    const event = EVENT_SCHEMA.extend({ event: z.literal(moment) });
    if (isToolMoment(moment)) return event.required({ tool: true });
    return moment === "preGeneration" ? event.required({ prompt: true }) : event;
  });
}

/**
 * The JSON Schema (2020-12) of a decision; that of one moment is under `$defs`. It says all that `parseDecision` asks
 * for but how deep a decision may be nested, and that no key stands twice.
 */
export function decisionJsonSchema(): object {
  return byMoment("decision", "What a hook may answer; an empty object is no opinion.", (moment) => {
    const actions = ACTIONS.filter((action) => LEGAL[moment].includes(action));
    return z.union([
      z.strictObject(partsAt(moment)),
      ...actions.map((action) => decisionWith(action, moment)),
    ]);
  });
}

function partsAt(moment: Moment) {
  return {
    input: legalAt(moment, "input"),
    prompt: legalAt(moment, "prompt"),
    context: legalAt(moment, "context"),
    notice: DECISION_FIELDS.notice.optional(),
  };
}

function legalAt(moment: Moment, part: "input" | "prompt" | "context"): z.ZodType {
  return LEGAL[moment].includes(part) ? DECISION_FIELDS[part].optional() : z.never().optional();
}

function decisionWith(action: Action, moment: Moment): z.ZodType {
  const fields = {
    action: z.literal(action),
    reason: DECISION_FIELDS.reason.optional(),
    response: action === "stop" ? DECISION_FIELDS.response.optional() : z.never().optional(),
    ...partsAt(moment),
  };
  return REFUSALS.includes(action) ? z.looseObject(fields) : z.strictObject(fields);
}

function byMoment(name: string, description: string, schemaOf: (moment: Moment) => z.ZodType): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:wasmhook:${name}:${SCHEMA_VERSION}`,
    title: `A wasmhook ${name}`,
    description,
    anyOf: MOMENTS.map((moment) => ({ $ref: `#/$defs/${moment}` })),
    $defs: Object.fromEntries(MOMENTS.map((moment) => [moment, toJsonSchema(schemaOf(moment))])),
  };
}

function toJsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      // A name of zod's own, beside the pattern that says the same.
      if (jsonSchema.format === "starts_with") delete jsonSchema.format;
    },
  });
  return json;
}
