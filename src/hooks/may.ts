import type { Decision } from "./decision.js";

/** What a hook may be granted to decide, one name for each thing that a decision can hold. */
export const GRANTS = ["deny", "ask", "stop", "context", "prompt", "input", "allow", "notice"] as const;
export type Grant = (typeof GRANTS)[number];

/** A hook that its user declared in their own file may do all, unless its `may:` says less. */
export const ALL_GRANTS: ReadonlySet<Grant> = new Set(GRANTS);

/** Leaves out of a decision all that the hook has no grant for, and says what that was. */
export function applyGrants(
  decision: Decision,
  may: ReadonlySet<Grant>,
): { decision: Decision; dropped: Grant[] } {
  const dropped: Grant[] = [];
  const kept: Decision = { ...decision };
  if (kept.action !== undefined && !may.has(kept.action)) {
    dropped.push(kept.action);
    delete kept.action;
    delete kept.reason;
    delete kept.response;
  }
  for (const part of ["input", "prompt", "context", "notice"] as const) {
    if (kept[part] === undefined || may.has(part)) continue;
    dropped.push(part);
    delete kept[part];
  }
  return { decision: kept, dropped };
}
