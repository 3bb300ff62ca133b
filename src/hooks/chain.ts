import type { Answer } from "./answer.js";
import type { HookEvent } from "./event.js";
import { emptyFold, foldAnswer } from "./fold.js";
import type { Hook } from "./hook.js";
import type { Outcome } from "./outcome.js";
import { selects } from "./select.js";

/**
 * Runs the hooks that are for an event, one after the other in declared order, each on the event as
 * those before it rewrote it; the first `deny` or `stop` ends the chain.
 */
export async function runChain(
  hooks: readonly Hook[],
  event: HookEvent,
  runHook: (hook: Hook, event: HookEvent) => Promise<Answer>,
): Promise<Outcome> {
  let fold = emptyFold(event);
  for (const hook of hooks) {
    if (fold.ended) break;
    if (selects(hook, fold.event)) fold = foldAnswer(fold, hook, await runHook(hook, fold.event));
  }
  return fold.outcome;
}
