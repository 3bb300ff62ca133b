export type { LoadedConfig } from "./config/load-config.js";
export type { Problem, ProblemCode } from "./config/problem.js";
export { formatProblem } from "./config/problem-text.js";
export type { DialectName } from "./dialects/dialect.js";
export { type ErrorCode, type ErrorData, WasmhookError } from "./errors.js";
export { withContext } from "./hooks/added-context.js";
export type { HookChain, Turn } from "./hooks/ask-hooks.js";
export type { Action, Decision } from "./hooks/decision.js";
export type { HookEvent, Moment, ToolCall } from "./hooks/event.js";
export {
  type Call,
  type GatedCall,
  type GateOptions,
  gate,
  type Question,
  type Refuse,
  type ToolResult,
} from "./hooks/gate.js";
export type { CommandSpec, Hook, Limits, OnError, WasmSpec } from "./hooks/hook.js";
export type { JsonObject, JsonValue } from "./hooks/json.js";
export { DEFAULT_LIMITS } from "./hooks/limits.js";
export type { Matcher } from "./hooks/matcher.js";
export type { Grant } from "./hooks/may.js";
export { DEFAULT_MODULE_LIMITS, type ModuleLimits } from "./hooks/module-limits.js";
export type { LogLine, Notice, Outcome, Run } from "./hooks/outcome.js";
export { printableLine } from "./hooks/printable.js";
export { type GatedPrompt, type PromptGateOptions, promptGate } from "./hooks/prompt-gate.js";
export {
  blockedPrompt,
  deedLines,
  deniedLine,
  deniedTitle,
  noticeLine,
  runLine,
  subjectOf,
} from "./hooks/turn-text.js";
export { type Hooks, type LoadHooksOptions, loadHooks, type RunOptions } from "./load-hooks.js";
export type { AuditOptions } from "./observe/audit.js";
