import type { WasmhookError } from "../errors.js";
import type { Decision } from "../hooks/decision.js";
import type { HookEvent } from "../hooks/event.js";
import type { Hook } from "../hooks/hook.js";
import type { LogLine, Notice } from "../hooks/outcome.js";

/** What running one hook on one event gave. `failure` and `decision` exclude each other. */
export type Answer = {
  durationMs: number;
  fuel?: number;
  peakMemoryBytes?: number;
  logs?: LogLine[];
  /** What the hook had for the user beside its decision, such as plain stdout. */
  notices?: Omit<Notice, "hook">[];
} & ({ decision: Decision } | { failure: WasmhookError });

/** Runs one hook on one event. Never rejects for what a hook did: that is a `failure`. */
export interface Runner {
  run(hook: Hook, event: HookEvent, signal?: AbortSignal): Promise<Answer>;
  /** Ends everything that the runner started. */
  close(): Promise<void>;
}
