import type { ErrorCode } from "../errors.js";
import type { Action } from "./decision.js";
import type { Moment } from "./event.js";
import type { JsonObject } from "./json.js";
import type { Grant } from "./may.js";

export interface LogLine {
  level: "debug" | "info" | "warn" | "error";
  message: string;
}

/** What is told to the user, never to the model. */
export interface Notice {
  /** The hook's `id`. */
  hook: string;
  /** `info`: the hook's own words, or what it did; `warning`: something went wrong. */
  kind: "info" | "warning";
  text: string;
}

/** The record of one hook that ran. */
export interface Run {
  /** The hook's `id`. */
  hook: string;
  label: string;
  event: Moment;
  runner: "command" | "wasm";
  /** Such as `deny`, `context (178 chars)`, `input, allow`, `nothing`, `failed`. */
  decided: string;
  durationMs: number;
  /** Wasm only: units used. */
  fuel?: number;
  /** Wasm only: the most linear memory that the guest held. */
  peakMemoryBytes?: number;
  logs?: LogLine[];
  error?: { code: ErrorCode; message: string };
  /** Parts of the decision that the hook had no grant for, and that were dropped. */
  dropped?: Grant[];
}

/** What the chain folded to. */
export interface Outcome {
  decision: "none" | Action;
  reason?: string;
  response?: string;
  /** Present when a hook rewrote the tool's arguments. */
  input?: JsonObject;
  /** Present when a hook rewrote the prompt. */
  prompt?: string;
  /** Contexts joined by a newline, in order. */
  context?: string;
  notices: Notice[];
  runs: Run[];
}
