import { tmpdir } from "node:os";
import { mnemoai } from "#src/dialects/mnemoai";
import type { JsonObject } from "#src/hooks/json";
import type { HookEvent } from "#src/index";

export type EventName = "PreToolUse" | "PostToolUse" | "PostToolUseFailure";

/** An event in the spelling of the mnemoai hook document. */
export function callEvent(
  hook_event_name: EventName,
  tool_name: string,
  tool_input: JsonObject = {},
  tool_response?: string,
): JsonObject {
  return {
    session_id: "session_20260825_143210_8123_a4f1",
    cwd: tmpdir(),
    hook_event_name,
    tool_name,
    tool_input,
    ...(tool_response === undefined ? {} : { tool_response }),
  };
}

/** The same as the library takes it. */
export function decoded(...event: Parameters<typeof callEvent>): HookEvent {
  return mnemoai.decodeEvent(callEvent(...event));
}
