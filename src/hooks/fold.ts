import type { WasmhookError } from "../errors.js";
import type { Answer } from "./answer.js";
import type { Action, Decision } from "./decision.js";
import type { HookEvent, Moment } from "./event.js";
import { declaredKind, type Hook, hookLabel } from "./hook.js";
import { applyGrants, type Grant } from "./may.js";
import type { Notice, Outcome, Run } from "./outcome.js";
import { printableLine } from "./printable.js";
import { describeDecision } from "./text.js";

/** Where a chain stands after some of its hooks: what it folded to, and the event that the next hook sees. */
export interface Fold {
  outcome: Outcome;
  event: HookEvent;
  /** A `deny` or `stop` was given: no further hook runs. */
  ended: boolean;
}

/** The fold of no hook at all. */
export function emptyFold(event: HookEvent): Fold {
  return { outcome: { decision: "none", notices: [], runs: [] }, event, ended: false };
}

/** Adds what one hook answered. Pure: the fold that comes in is left as it is. */
export function foldAnswer(fold: Fold, hook: Hook, answer: Answer): Fold {
  const own = grantedNotices(hook, answer.notices ?? []);
  const spoken =
    "failure" in answer ? decideFailure(hook, answer.failure) : decideGranted(hook, answer.decision);
  const dropped = [...new Set([...own.dropped, ...spoken.dropped])];
  const run: Run = {
    hook: hook.id,
    label: hookLabel(hook),
    event: hook.moment,
    runner: declaredKind(hook),
    decided: "failure" in answer ? "failed" : describeDecision(spoken.decision),
    durationMs: answer.durationMs,
    ...(answer.fuel === undefined ? {} : { fuel: answer.fuel }),
    ...(answer.peakMemoryBytes === undefined ? {} : { peakMemoryBytes: answer.peakMemoryBytes }),
    ...(answer.logs === undefined || answer.logs.length === 0 ? {} : { logs: answer.logs }),
    ...("failure" in answer ? { error: { code: answer.failure.code, message: answer.failure.message } } : {}),
    ...(dropped.length === 0 ? {} : { dropped }),
  };
  const outcome: Outcome = {
    ...withVerdict(fold.outcome, spoken.decision),
    notices: [
      ...fold.outcome.notices,
      ...own.notices,
      ...spoken.notices,
      ...dropped.map((grant) => notGranted(hook, grant)),
    ],
    runs: [...fold.outcome.runs, run],
  };
  const { input, prompt, context } = spoken.decision;
  if (input !== undefined) outcome.input = input;
  if (prompt !== undefined) outcome.prompt = prompt;
  if (context !== undefined && context !== "") {
    outcome.context = fold.outcome.context === undefined ? context : `${fold.outcome.context}\n${context}`;
  }
  const ended = outcome.decision === "deny" || outcome.decision === "stop";
  return { outcome, event: rewrite(fold.event, spoken.decision), ended };
}

interface Spoken {
  decision: Decision;
  dropped: Grant[];
  notices: Notice[];
}

function decideGranted(hook: Hook, said: Decision): Spoken {
  const { decision, dropped } = applyGrants(said, hook.may);
  const { notice } = decision;
  return {
    decision,
    dropped,
    notices: notice === undefined ? [] : [{ hook: hook.id, kind: "info", text: notice }],
  };
}

function notGranted(hook: Hook, grant: Grant): Notice {
  const text = `hook ${quotedLabel(hook)} may not decide "${grant}", so that was dropped: add ${grant} to its "may" to allow it`;
  return { hook: hook.id, kind: "warning", text };
}

/** What a failed hook means, by its `onError`. After the fact there is nothing left to refuse, so `fail` tells the user. */
function decideFailure(hook: Hook, failure: WasmhookError): Spoken {
  const text = `hook ${quotedLabel(hook)} failed: ${failure.message}`;
  const refusal = hook.onError === "fail" ? REFUSAL[hook.moment] : undefined;
  if (refusal !== undefined) return { decision: { action: refusal, reason: text }, dropped: [], notices: [] };
  if (hook.onError === "ignore") return { decision: {}, dropped: [], notices: [] };
  return { decision: {}, dropped: [], notices: [{ hook: hook.id, kind: "warning", text }] };
}

const REFUSAL: { [moment in Moment]?: Action } = { preToolCall: "deny", preGeneration: "stop" };

/** Plain output is a notice, and needs the same grant. What went wrong is told whatever the grant. */
function grantedNotices(
  hook: Hook,
  said: readonly Omit<Notice, "hook">[],
): Pick<Spoken, "dropped" | "notices"> {
  const kept = said.filter(({ kind }) => kind === "warning" || hook.may.has("notice"));
  return {
    dropped: kept.length < said.length ? ["notice"] : [],
    notices: kept.map((notice) => ({ hook: hook.id, ...notice })),
  };
}

/** A command line can be long, of many lines, and hold what is not for the model. */
const LABEL_COLUMNS = 60;

function quotedLabel(hook: Hook): string {
  return `"${printableLine(hookLabel(hook), LABEL_COLUMNS)}"`;
}

const STRENGTH = { none: 0, allow: 1, ask: 2, deny: 3, stop: 3 } as const;

/** `deny` and `stop` beat `ask`, which beats `allow`; of two alike the first stands, reason and all. */
function withVerdict(before: Outcome, said: Decision): Outcome {
  if (said.action === undefined || STRENGTH[said.action] <= STRENGTH[before.decision]) return { ...before };
  const { reason: _, response: __, ...rest } = before;
  return {
    ...rest,
    decision: said.action,
    ...(said.reason === undefined ? {} : { reason: said.reason }),
    ...(said.response === undefined ? {} : { response: said.response }),
  };
}

function rewrite(event: HookEvent, decision: Decision): HookEvent {
  let next = event;
  if (decision.input !== undefined && next.tool !== undefined) {
    next = { ...next, tool: { ...next.tool, input: decision.input } };
  }
  if (decision.prompt !== undefined) next = { ...next, prompt: decision.prompt };
  return next;
}
