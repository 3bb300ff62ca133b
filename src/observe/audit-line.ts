import type { HookEvent } from "../hooks/event.js";
import type { JsonValue } from "../hooks/json.js";
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
    session: text(event.session),
    agent: text(event.agent),
    cwd: text(event.cwd),
    event: run.event,
    tool: text(event.tool?.name),
    input: event.tool && cut(JSON.stringify(redacted(event.tool.input, redact))),
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

/** Each text by itself, keys too: written as JSON some patterns would miss it. */
function redacted(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redacted(item, redact)]),
  );
}

function cut(text: string): string {
  const chars = [...text.slice(0, 2 * TEXT_CHARS)];
  return chars.length <= TEXT_CHARS && text.length <= 2 * TEXT_CHARS
    ? text
    : `${chars.slice(0, TEXT_CHARS - 1).join("")}…`;
}
