import { WasmhookError } from "../errors.js";
import type { HookEvent } from "./event.js";
import type { Outcome } from "./outcome.js";

/** What runs the chain: `Hooks`, as `loadHooks` gives them. */
export interface HookChain {
  run(event: HookEvent, options?: { signal?: AbortSignal | undefined }): Promise<Outcome>;
}

/** Where a call or a question is made: fields of its events. */
export interface Turn {
  cwd: string;
  session?: string | undefined;
  agent?: string | undefined;
  /** Ends the hooks and the tool. */
  signal?: AbortSignal | undefined;
}

/** The event of a moment, with the turn's fields and its own. */
export function eventOf(
  event: HookEvent["event"],
  fields: Pick<HookEvent, "tool" | "prompt" | "response">,
  { cwd, session, agent }: Turn,
): HookEvent {
  return {
    event,
    cwd,
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined ? {} : { agent }),
    ...fields,
  };
}

/**
 * Runs the chain, and keeps its notices and runs. Where it cannot be asked at all, as for an event that is too large,
 * a call is denied, and what was done already is left with a warning.
 * @throws WasmhookError `aborted` and `closed`
 */
export async function askHooks(
  hooks: HookChain,
  event: HookEvent,
  { signal }: Pick<Turn, "signal">,
  record: Pick<Outcome, "notices" | "runs">,
): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = await hooks.run(event, { signal });
  } catch (error) {
    if (!(error instanceof WasmhookError) || error.code === "aborted" || error.code === "closed") throw error;
    outcome = unasked(event, error);
  }
  record.notices.push(...outcome.notices);
  record.runs.push(...outcome.runs);
  return outcome;
}

/** Why a call is denied whose hooks cannot be asked. */
export function notAsked({ message }: WasmhookError): string {
  return `the hooks could not be asked: ${message}`;
}

function unasked({ event }: HookEvent, error: WasmhookError): Outcome {
  const text = notAsked(error);
  if (event === "preToolCall") return { decision: "deny", reason: text, notices: [], runs: [] };
  if (event === "preGeneration") {
    return { decision: "stop", reason: text, response: text, notices: [], runs: [] };
  }
  return { decision: "none", notices: [{ hook: "", kind: "warning", text }], runs: [] };
}
