import type { WasmhookError } from "../errors.js";
import type { Decision } from "../hooks/decision.js";
import type { HookEvent } from "../hooks/event.js";
import type { Hook } from "../hooks/hook.js";
import type { Notice } from "../hooks/outcome.js";
import type { ProgramOutput } from "../hooks/program-output.js";

export const DIALECT_NAMES = ["mm", "mnemoai"] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** What a program's end means: a decision or a failure, and words for the user. */
export type Reading = { notices?: Omit<Notice, "hook">[] } & (
  | { decision: Decision }
  | { failure: WasmhookError }
);

/** One agent's spelling of events, decisions and exit codes. */
export interface Dialect {
  name: DialectName;
  /** What the listing of hooks is headed with. */
  listingTitle: string;
  /** The agent's own name of the event that a hook is for. */
  eventName(hook: Pick<Hook, "moment" | "when">): string;
  /** The shell that runs a command line, given as its last argument. */
  shell: readonly [file: string, ...args: string[]];
  /**
   * Reads the agent's own spelling of an event.
   * @throws WasmhookError one of the `event-*` codes or `bad-event`.
   */
  decodeEvent(value: unknown): HookEvent;
  /** What a command hook reads on stdin, and a WASI module. */
  encodeStdin(event: HookEvent): string;
  /** Variables that a command hook gets beside the agent's own environment. */
  commandEnv(event: HookEvent, configDirectory: string): Record<string, string>;
  /** What a command said, or a WASI module. Never throws. */
  readCommand(output: ProgramOutput, event: HookEvent): Reading;
}
