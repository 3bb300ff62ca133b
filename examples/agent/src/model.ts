import type { JsonObject } from "wasmhook";

export interface ModelCall {
  id: string;
  name: string;
  input: JsonObject;
}

export type Message =
  | { role: "system" | "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "tool"; callId: string; text: string };

/** What a model says next: a text, tool calls, or both. Without a call it has answered. */
export interface Reply {
  text: string;
  calls: readonly ModelCall[];
}

export interface ToolDescription {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: JsonObject;
}

export interface Model {
  reply(
    messages: readonly Message[],
    tools: readonly ToolDescription[],
    signal: AbortSignal | undefined,
  ): Promise<Reply>;
}
