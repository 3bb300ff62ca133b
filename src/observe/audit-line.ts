import type { HookEvent } from "../hooks/event.js";
import type { Run } from "../hooks/outcome.js";

/** The most characters of a reason, an error and the arguments of a tool. */
const TEXT_CHARS = 2000;

/**
 * One run as a line of JSON. Texts are redacted before they are cut, so that no half of a secret is left.
 * @param time when it ended
 */
export function auditLine(
  run: Run,
  event: HookEvent,
  reason: string | undefined,
  redact: (text: string) => string,
  time: Date,
): string {
  const text = (value: string | undefined) => (value === undefined ? undefined : cut(redact(value)));
  return JSON.stringify({
    time: time.toISOString(),
    session: event.session,
    agent: event.agent,
    cwd: event.cwd,
    event: run.event,
    tool: event.tool?.name,
    input: text(event.tool === undefined ? undefined : JSON.stringify(event.tool.input)),
    hook: run.hook,
    label: text(run.label),
    runner: run.runner,
    decided: run.decided,
    reason: text(reason),
    error: run.error && { code: run.error.code, message: text(run.error.message) },
    dropped: run.dropped,
    durationMs: Math.round(run.durationMs * 1000) / 1000,
    fuel: run.fuel,
    peakMemoryBytes: run.peakMemoryBytes,
  });
}

function cut(text: string): string {
  const chars = [...text.slice(0, 2 * TEXT_CHARS)];
  return chars.length <= TEXT_CHARS && text.length <= 2 * TEXT_CHARS
    ? text
    : `${chars.slice(0, TEXT_CHARS - 1).join("")}…`;
}
