import { Decision, Event, Json, config, fail, rewriteInput, rewritePrompt } from "wasmhook/guest";
import { Redactor } from "./redactor";

/** A shorter literal would be found in the middle of ordinary words. */
const SHORTEST_LITERAL = 6;

/** Takes secrets out of prompts, and out of the arguments of tools. */
export function handle(event: Event): Decision | null {
  const literals = config().get("literals").strings();
  for (let i = 0; i < literals.length; i++) {
    if (literals[i].length < SHORTEST_LITERAL) {
      return fail(`config "literals" has a string of less than ${SHORTEST_LITERAL} characters`);
    }
  }
  const redactor = new Redactor(literals);
  let decision: Decision | null = null;
  if (event.moment == "preGeneration") {
    const prompt = redactor.redact(event.prompt);
    if (prompt !== null) decision = rewritePrompt(prompt);
  } else if (event.moment == "preToolCall") {
    const input = event.tool.input;
    redactIn(input, redactor);
    if (redactor.count > 0) decision = rewriteInput(input);
  }
  return decision === null ? null : decision.notice(`${redactor.count} secret(s) redacted`);
}

/** Redacts the strings in an array or an object, however deep they stand; keys and all other values stay. */
function redactIn(value: Json, redactor: Redactor): void {
  const keys = value.keys();
  for (let i = 0; i < value.length; i++) {
    const item = value.isObject ? value.get(keys[i]) : value.at(i);
    if (item.isArray || item.isObject) redactIn(item, redactor);
    const text = item.isString ? redactor.redact(item.string()) : null;
    if (text === null) continue;
    if (value.isObject) value.set(keys[i], Json.string(text));
    else value.setAt(i, Json.string(text));
  }
}
