export type { Action, Decision } from "./hooks/decision.js";
export type { HookEvent, Moment, ToolCall } from "./hooks/event.js";
export type { JsonObject, JsonValue } from "./hooks/json.js";
export type {
  DecisionAt,
  EventAt,
  PostGenerationDecision,
  PostGenerationEvent,
  PostToolCallDecision,
  PostToolCallEvent,
  PreGenerationDecision,
  PreGenerationEvent,
  PreToolCallDecision,
  PreToolCallEvent,
  TypedEvent,
} from "./hooks/typed.js";
