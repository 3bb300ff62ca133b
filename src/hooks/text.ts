import type { Decision } from "./decision.js";

/** What a hook decided, in a word or two, as the run lines of `displayHooks: true` have it. Source: the `mm` document. */
export function describeDecision(decision: Decision): string {
  const said: string[] = [];
  if (decision.action !== undefined) said.push(decision.action);
  if (decision.input !== undefined) said.push("input");
  if (decision.prompt !== undefined) said.push("prompt");
  if (decision.context !== undefined) said.push(`context (${[...decision.context].length} chars)`);
  if (decision.notice !== undefined) said.push("notice");
  return said.length === 0 ? "nothing" : said.join(", ");
}
