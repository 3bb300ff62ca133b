import type { JsonObject, JsonValue } from "./json.js";

/** The fixed moments of a turn, in the order in which they come. */
export const MOMENTS = ["preGeneration", "preToolCall", "postToolCall", "postGeneration"] as const;
export type Moment = (typeof MOMENTS)[number];

/** A tool call. `output` or `error` are there only once it has been made. */
export interface ToolCall {
  name: string;
  input: JsonObject;
  output?: string;
  error?: string;
  /** Fields of the agent's own are kept and passed on. */
  [extra: string]: JsonValue | undefined;
}

/** The canonical event: what a guest of the `hook` world gets as JSON, whatever the agent's dialect. */
export interface HookEvent {
  event: Moment;
  /** Absolute path of the directory that the agent works in. */
  cwd: string;
  session?: string;
  agent?: string;
  /** On the two tool moments. */
  tool?: ToolCall;
  /** On `preGeneration`, and kept on `postGeneration`. */
  prompt?: string;
  /** On `postGeneration`. */
  response?: string;
  [extra: string]: unknown;
}

/** Whether the moment is about a tool call, so that an event of it has a `tool`. */
export function isToolMoment(moment: Moment): boolean {
  return moment === "preToolCall" || moment === "postToolCall";
}
