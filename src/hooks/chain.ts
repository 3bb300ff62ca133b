import { WasmhookError } from "../errors.js";
import type { Answer } from "./answer.js";
import type { HookEvent } from "./event.js";
import { emptyFold, type Fold, foldAnswer } from "./fold.js";
import type { Hook } from "./hook.js";
import type { Outcome } from "./outcome.js";
import { selects } from "./select.js";

/**
 * Runs the hooks that are for an event, one after the other in declared order, each on the event as
 * those before it rewrote it; the first `deny` or `stop` ends the chain.
 * @param onStep told of each hook that ran, before the next is
 */
export async function runChain(
  hooks: readonly Hook[],
  event: HookEvent,
  runHook: (hook: Hook, event: HookEvent) => Promise<Answer>,
  onStep: (before: Fold, after: Fold) => void = () => {},
): Promise<Outcome> {
  let fold = emptyFold(event);
  for (const hook of hooks) {
    if (fold.ended) break;
    const answer = await answerOf(hook, fold.event, runHook);
    if (answer === undefined) continue;
    const next = foldAnswer(fold, hook, answer);
    onStep(fold, next);
    fold = next;
  }
  return fold.outcome;
}

/** Undefined where the hook is not for the event. */
async function answerOf(
  hook: Hook,
  event: HookEvent,
  runHook: (hook: Hook, event: HookEvent) => Promise<Answer>,
): Promise<Answer | undefined> {
  const selected = select(hook, event);
  if (selected instanceof WasmhookError) return { durationMs: 0, failure: selected };
  return selected ? await runHook(hook, event) : undefined;
}

/** A matcher that cannot say whether its hook is for an event makes that hook fail: it may be a guard. */
function select(hook: Hook, event: HookEvent): boolean | WasmhookError {
  try {
    return selects(hook, event);
  } catch (error) {
    // Such as a RangeError: engines run out of stack on some regular expressions, and only when they match.
    const cause = error instanceof Error ? error.message : String(error);
    const message = `its matcher ${hook.matcher.source} cannot be matched with the tool's name (${cause}): write a simpler one`;
    return new WasmhookError("matcher-failed", message, { cause });
  }
}
