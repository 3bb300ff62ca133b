import type { HookEvent } from "#src/index";

/** An event about a tool as the mnemoai document has it, written here anew, and not by the product. */
export function inMnemoai({ event, cwd, session, tool }: HookEvent): object {
  if (tool === undefined) throw new Error(`${event} is no event of that agent`);
  const { name, input, output, error } = tool;
  const call = { session_id: session ?? "", cwd, tool_name: name, tool_input: input };
  if (event === "preToolCall") return { ...call, hook_event_name: "PreToolUse" };
  if (error !== undefined) return { ...call, hook_event_name: "PostToolUseFailure", tool_response: error };
  return { ...call, hook_event_name: "PostToolUse", tool_response: output ?? "" };
}
