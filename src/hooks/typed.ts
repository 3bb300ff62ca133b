import type { HookEvent, Moment, ToolCall } from "./event.js";
import type { JsonObject } from "./json.js";

/** Before the model is asked. */
export interface PreGenerationEvent extends HookEvent {
  event: "preGeneration";
  prompt: string;
}

/** Before a tool is called. */
export interface PreToolCallEvent extends HookEvent {
  event: "preToolCall";
  tool: ToolCall;
}

/** After a tool was called: `tool` has its `output`, or its `error`. */
export interface PostToolCallEvent extends HookEvent {
  event: "postToolCall";
  tool: ToolCall;
}

/** After the model has answered. */
export interface PostGenerationEvent extends HookEvent {
  event: "postGeneration";
}

/** What an event of each moment has. */
export interface EventAt {
  preGeneration: PreGenerationEvent;
  preToolCall: PreToolCallEvent;
  postToolCall: PostToolCallEvent;
  postGeneration: PostGenerationEvent;
}

/** An event of any moment, told apart by its `event`. */
export type TypedEvent = EventAt[Moment];

/** After the model has answered, and at every other moment too. */
export interface PostGenerationDecision {
  /** Is for the user, never for the model. */
  notice?: string;
}

/** After a tool was called. */
export interface PostToolCallDecision extends PostGenerationDecision {
  /** Is added for the model. */
  context?: string;
}

/** An action, and what is only said with one; or neither. */
type Acting<Said> = Said | { action?: never; reason?: never; response?: never };

export type PreGenerationDecision = PostToolCallDecision & {
  /** Replaces the prompt as a whole. */
  prompt?: string;
} & Acting<{ action: "stop"; reason?: string; response?: string }>;

export type PreToolCallDecision = PostToolCallDecision & {
  /** Replaces the tool's arguments as a whole. */
  input?: JsonObject;
} & Acting<{ action: "deny" | "allow" | "ask"; reason?: string; response?: never }>;

/** What a hook may decide at each moment; an empty object is no opinion. */
export interface DecisionAt {
  preGeneration: PreGenerationDecision;
  preToolCall: PreToolCallDecision;
  postToolCall: PostToolCallDecision;
  postGeneration: PostGenerationDecision;
}
