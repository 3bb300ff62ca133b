import type { ErrorCode } from "#src/errors";
import type { HookEvent } from "#src/hooks/event";
import { constGuest } from "../support/guests.js";
import { isSupported } from "../support/metered.js";
import { type Feature, type Hostile, hook } from "./hostile.js";

/** What stands beside every hostile guest, and must be as good afterwards as before. */
export const FRIENDLY = {
  tool: "friendly",
  guest: hook(constGuest('{"action":"ask","reason":"still here"}')),
  answer: { decision: "ask", reason: "still here" },
};

/** The event for the hook that is declared for this tool. */
export function callOf(tool: string): HookEvent {
  return { event: "preToolCall", cwd: "/", tool: { name: tool, input: { command: "ls" } } };
}

const PROBES: Record<Feature, string> = {
  exnref: "(module (func (param exnref)))",
  "multi-memory": "(module (memory 1) (memory 1))",
  "extended-const": "(module (global i32 (i32.add (i32.const 1) (i32.const 1))))",
};

const missing = new Set<Feature>();
for (const [feature, probe] of Object.entries(PROBES)) {
  if (!(await isSupported(probe))) missing.add(feature as Feature);
}

export interface Expected {
  ends: ErrorCode | "ok";
  stage: Hostile["stage"];
  because: RegExp;
}

/** How a guest must end on the engine below. */
export function expectedOf({ ends, stage, because = "", needs }: Hostile): Expected {
  // What inspect refuses no engine sees.
  if (stage !== "inspect" && needs !== undefined && missing.has(needs)) {
    return { ends: "feature-refused", stage: "load", because: /engine below does not have/ };
  }
  return { ends, stage, because: new RegExp(because) };
}

/** Each guest after the name of its test. */
export function named(guests: readonly Hostile[]): [name: string, guest: Hostile][] {
  return guests.map((guest) => [`${guest.title}: ${expectedOf(guest).ends}`, guest]);
}
