import type { Outcome, Run } from "../hooks/outcome.js";
import { printable, printableLine } from "../hooks/printable.js";
import { paint } from "./paint.js";

/** Further lines of somebody's text are set in, so that none can pass for a line of the outcome. */
export function within(text: string): string {
  return printable(text).replaceAll("\n", "\n      | ");
}

const LABEL_COLUMNS = 40;
const COLORS = { none: "dim", allow: "green", ask: "yellow", deny: "red", stop: "red" } as const;

/**
 * An outcome for people: the verdict, what was rewritten or added, what the user is told, a line per run.
 * @param times whether the runs' times are shown, which no two runs have alike
 */
export function formatOutcome(outcome: Outcome, color: boolean, { times = true } = {}): string {
  const reason = outcome.reason === undefined ? "" : `: ${within(outcome.reason)}`;
  const verdict = color ? paint(COLORS[outcome.decision], outcome.decision) : outcome.decision;
  const lines = [`${verdict}${reason}`];
  if (outcome.response !== undefined) lines.push(`response: ${within(outcome.response)}`);
  if (outcome.input !== undefined) lines.push(`input: ${printable(JSON.stringify(outcome.input))}`);
  if (outcome.prompt !== undefined) lines.push(`prompt: ${within(outcome.prompt)}`);
  if (outcome.context !== undefined) lines.push(`context: ${within(outcome.context)}`);
  for (const notice of outcome.notices) {
    lines.push(`${notice.kind === "warning" ? "warning" : "notice"}: ${within(notice.text)}`);
  }
  for (const line of outcome.runs.flatMap((run) => runLines(run, times)))
    lines.push(color ? paint("dim", line) : line);
  return `${lines.join("\n")}\n`;
}

function runLines(run: Run, times: boolean): string[] {
  const figures = times ? [`${run.durationMs.toFixed(run.durationMs < 100 ? 1 : 0)} ms`] : [];
  if (run.fuel !== undefined) figures.push(`${run.fuel.toLocaleString("en")} fuel`);
  if (run.peakMemoryBytes !== undefined)
    figures.push(`${Math.ceil(run.peakMemoryBytes / 1024).toLocaleString("en")} KiB`);
  const label = printableLine(run.label, LABEL_COLUMNS);
  const measured = figures.length === 0 ? "" : `  (${figures.join(", ")})`;
  const lines = [`  ${run.hook}  ${run.runner}  ${label}  ${run.decided}${measured}`];
  for (const log of run.logs ?? []) lines.push(`    ${log.level}: ${within(log.message)}`);
  return lines;
}
