import { WasmhookError } from "../errors.js";
import { describeValue } from "../hooks/describe-value.js";
import type { HookEvent, Moment } from "../hooks/event.js";
import { isJsonObject, type JsonObject } from "../hooks/json.js";
import { parseEvent } from "../hooks/parse-event.js";
import { unknownEvent } from "../hooks/unknown-event.js";
import { capChars, capStrings } from "./cap.js";
import type { Dialect } from "./dialect.js";
import { readMnemoaiOutput } from "./mnemoai-output.js";
import { readOrFail } from "./reading.js";

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
      const found = describeValue(tool_response);
      throw new WasmhookError("bad-event", `the event's "tool_response" is ${found}: give a string`, {
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
  readCommand: (output, event) => readOrFail(() => readMnemoaiOutput(output, event)),
};

function eventName({ hook_event_name: name }: JsonObject): EventName {
  const known = EVENT_NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw unknownEvent({ field: "hook_event_name", name, absent: "missing", known: EVENT_NAMES });
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
