import type { WasmhookError } from "../errors.js";
import type { Decision } from "./decision.js";
import type { LogLine, Notice } from "./outcome.js";

/** What running one hook on one event gave: a decision, or a failure. */
export type Answer = {
  durationMs: number;
  fuel?: number;
  peakMemoryBytes?: number;
  logs?: LogLine[];
  /** What the hook had for the user beside its decision, such as plain stdout. */
  notices?: Omit<Notice, "hook">[];
} & ({ decision: Decision } | { failure: WasmhookError });
