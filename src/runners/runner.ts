import type { Answer } from "../hooks/answer.js";
import type { HookEvent } from "../hooks/event.js";
import type { Hook } from "../hooks/hook.js";

export type { Answer } from "../hooks/answer.js";

/** Runs one hook on one event. Never rejects for what a hook did: that is a `failure`. */
export interface Runner {
  run(hook: Hook, event: HookEvent, signal?: AbortSignal): Promise<Answer>;
  /** Ends everything that the runner started. */
  close(): Promise<void>;
}
