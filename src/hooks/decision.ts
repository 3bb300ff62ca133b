import type { JsonObject } from "./json.js";

export const ACTIONS = ["deny", "allow", "ask", "stop"] as const;
export type Action = (typeof ACTIONS)[number];

/** What one hook said. Empty = no opinion, the identity of the fold. */
export interface Decision {
  action?: Action;
  /** Why, for the model (deny) or the history (stop). */
  reason?: string;
  /** With `stop`: what the user reads in place of the model's answer. */
  response?: string;
  /** The whole replacement of the tool's arguments. */
  input?: JsonObject;
  /** The whole replacement of the prompt. */
  prompt?: string;
  /** Text for the model. */
  context?: string;
  /** Text for the user, never for the model. */
  notice?: string;
}
