/** What a hook may be granted to decide, one name for each thing that a decision can hold. */
export const GRANTS = ["deny", "ask", "stop", "context", "prompt", "input", "allow", "notice"] as const;
export type Grant = (typeof GRANTS)[number];

/** A hook that its user declared in their own file may do all, unless its `may:` says less. */
export const ALL_GRANTS: ReadonlySet<Grant> = new Set(GRANTS);
