/** What a JSON value is, for messages: a short one is shown. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const shown = JSON.stringify(value);
  return shown.length <= 42 ? shown : `a long ${typeof value}`;
}

/** What a schema says of a value that it refuses: what the value is, and what to do. */
export function orElse(fix: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => `is ${describeValue(input)}: ${fix}` };
}
