import { WasmhookError } from "../errors.js";
import type { HookEvent, Moment } from "../hooks/event.js";
import { isJsonObject, type JsonObject } from "../hooks/json.js";
import { nearest } from "../hooks/nearest.js";
import { checkDecision, parseOneObject } from "../hooks/parse-decision.js";
import { parseEvent } from "../hooks/parse-event.js";
import { capChars, capStrings } from "./cap.js";
import type { CommandOutput, Dialect, Reading } from "./dialect.js";
import { commandFailed, ignoredNotices, readOrFail } from "./reading.js";

/** Source of the event names, the exit codes and the fields: the mnemoai hook document. */
export const MNEMOAI_EVENTS = {
  PreToolUse: { moment: "preToolCall" },
  PostToolUse: { moment: "postToolCall", when: "success" },
  PostToolUseFailure: { moment: "postToolCall", when: "failure" },
} as const satisfies Record<string, { moment: Moment; when?: "success" | "failure" }>;

type EventName = keyof typeof MNEMOAI_EVENTS;
const EVENT_NAMES = Object.keys(MNEMOAI_EVENTS) as EventName[];

/** Longer values are cut on a command's stdin; the document says that there is a cap, the agent's source how large. */
const VALUE_CHARS_LIMIT = 20_000;
const DENY_EXIT_CODE = 2;

export const mnemoai: Dialect = {
  name: "mnemoai",
  listingTitle: "Tool hooks",
  eventName: ({ moment, when }) => {
    if (moment === "preToolCall") return "PreToolUse";
    return when === "failure" ? "PostToolUseFailure" : "PostToolUse";
  },
  shell: ["bash", "-c"],
  decodeEvent(value) {
    if (!isJsonObject(value)) return parseEvent(value);
    const name = eventName(value);
    const { tool_name, tool_input, tool_response, session_id, cwd } = value;
    if (tool_name === undefined) {
      throw new WasmhookError(
        "event-without-tool",
        `the event ${name} has no tool: add "tool_name" and "tool_input"`,
        {},
      );
    }
    if (tool_response !== undefined && typeof tool_response !== "string") {
      throw new WasmhookError("bad-event", 'the event\'s "tool_response" is not a string', {
        field: "tool_response",
      });
    }
    const result = name === "PreToolUse" ? {} : resultOf(name, tool_response ?? "");
    return renamed(() =>
      parseEvent({
        event: MNEMOAI_EVENTS[name].moment,
        cwd,
        ...(session_id === undefined ? {} : { session: session_id }),
        agent: "mnemoai",
        tool: { name: tool_name, input: tool_input ?? {}, ...result },
      }),
    );
  },
  encodeStdin(event) {
    const response = event.tool?.error ?? event.tool?.output;
    return JSON.stringify({
      session_id: event.session ?? "",
      cwd: event.cwd,
      hook_event_name: nameOf(event),
      tool_name: event.tool?.name,
      tool_input: capStrings(event.tool?.input ?? {}, VALUE_CHARS_LIMIT),
      ...(response === undefined ? {} : { tool_response: capChars(response, VALUE_CHARS_LIMIT) }),
    });
  },
  commandEnv: (event) => ({ MNEMOAI_HOOK_EVENT: nameOf(event), MNEMOAI_TOOL_NAME: event.tool?.name ?? "" }),
  readCommand: (output, event) => readOrFail(() => readEnd(output, event)),
};

function eventName(value: JsonObject): EventName {
  const found = value.hook_event_name;
  const known = EVENT_NAMES.find((name) => name === found);
  if (known !== undefined) return known;
  const shown = typeof found === "string" ? found : (JSON.stringify(found) ?? "missing");
  const meant = typeof found === "string" ? nearest(found, EVENT_NAMES) : undefined;
  const hint = meant === undefined ? `use one of ${EVENT_NAMES.join(", ")}` : `did you mean ${meant}?`;
  throw new WasmhookError(
    "event-unknown",
    `"hook_event_name" is ${shown.slice(0, 80)}, which is no event: ${hint}`,
    {
      found: shown,
    },
  );
}

function resultOf(name: EventName, response: string): { output: string } | { error: string } {
  return name === "PostToolUseFailure" ? { error: response } : { output: response };
}

const SPELLING: Record<string, string> = {
  "tool.name": "tool_name",
  "tool.input": "tool_input",
  session: "session_id",
};

/** Names fields in errors as the agent spells them. */
function renamed(parse: () => HookEvent): HookEvent {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof WasmhookError) || error.code !== "bad-event") throw error;
    const { field } = error.data as { field: string };
    const spelled = SPELLING[field] ?? field;
    throw new WasmhookError("bad-event", error.message.replace(`"${field}"`, `"${spelled}"`), {
      field: spelled,
    });
  }
}

function nameOf(event: HookEvent): string {
  return mnemoai.eventName({
    moment: event.event,
    when: event.tool?.error === undefined ? "success" : "failure",
  });
}

function readEnd(output: CommandOutput, event: HookEvent): Reading {
  const stdout = output.stdout.trim();
  if (output.exitCode === DENY_EXIT_CODE) {
    const reason = output.stderr.trim() || stdout || "blocked by a hook";
    if (event.event === "preToolCall") return { decision: { action: "deny", reason } };
    throw new WasmhookError(
      "bad-decision",
      `it exited with 2, which denies, but the tool has run: ${reason}`,
      {},
    );
  }
  if (output.exitCode !== 0) return { failure: commandFailed(output) };
  if (stdout.startsWith("{")) return readJson(parseOneObject(stdout), event);
  return { decision: {}, notices: stdout === "" ? [] : [{ kind: "info", text: stdout }] };
}

/** The aliases are what the agent itself reads beside the documented names. */
const ALIASES: Record<string, string> = {
  decision: "action",
  permissionDecision: "action",
  reason: "reason",
  permissionDecisionReason: "reason",
  systemMessage: "reason",
  additionalContext: "context",
};

function readJson(said: JsonObject, event: HookEvent): Reading {
  const canonical: JsonObject = {};
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(said)) {
    const name = Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
    if (name === undefined) ignored.push(describeUnknown(key));
    else canonical[name] ??= value;
  }
  if (ignored.length > 0 && Object.keys(canonical).length === 0) {
    throw new WasmhookError("bad-decision", `the decision has none of the known fields: ${ignored[0]}`, {});
  }
  if (canonical.action === undefined) delete canonical.reason;
  else canonical.action = verdictOf(canonical.action);
  const { decision } = checkDecision(canonical, event.event);
  return { decision, notices: ignoredNotices(ignored) };
}

function verdictOf(value: unknown): "allow" | "deny" {
  const lower = typeof value === "string" ? value.toLowerCase() : value;
  if (lower === "allow" || lower === "deny") return lower;
  const shown = JSON.stringify(value)?.slice(0, 40);
  throw new WasmhookError("bad-decision", `the decision is ${shown}: use "deny" or "allow"`, {
    field: "decision",
  });
}

function describeUnknown(key: string): string {
  const meant = nearest(key, Object.keys(ALIASES));
  return `"${key.slice(0, 40)}" is no field of a decision${meant === undefined ? "" : `, did you mean "${meant}"?`}`;
}
