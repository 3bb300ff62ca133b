import { dialectNamed } from "../../dialects/dialects.js";
import { WasmhookError } from "../../errors.js";
import type { JsonObject } from "../../hooks/json.js";
import type { Outcome } from "../../hooks/outcome.js";
import type { Hooks } from "../../load-hooks.js";
import type { Io } from "../io.js";
import { readEvent } from "../read-event.js";
import type { CaseFiles } from "./case-files.js";
import { isMet, readExpected, writeExpected } from "./expected.js";

/**
 * What came of one case. `unchecked`: nobody wrote what to expect. `failed`: nor that, and a hook failed; with
 * `update` it is not written either. `bad`: a file of it cannot be used.
 */
export type CaseResult = { name: string; eventFile: string } & (
  | { verdict: "met" | "unchecked" | "updated" | "failed"; outcome: Outcome }
  | { verdict: "differs"; outcome: Outcome; expected: JsonObject; expectedFile: string }
  | { verdict: "bad"; error: WasmhookError; file: string }
);

export interface RunCaseOptions {
  /** Write what came out where it was expected. */
  update: boolean;
  io: Io;
}

/** Runs one event through the hooks, and holds what came out against what was expected. Never throws for a bad file. */
export async function runCase(
  hooks: Hooks,
  { name, eventFile, expectedFile }: CaseFiles,
  { update, io }: RunCaseOptions,
): Promise<CaseResult> {
  const known = { name, eventFile };
  let file = eventFile;
  try {
    const event = dialectNamed(hooks.config.dialect).decodeEvent(await readEvent(eventFile, io));
    const outcome = await hooks.run(event);
    const failed = outcome.runs.some(({ error }) => error !== undefined);
    file = expectedFile;
    const expected = await readExpected(expectedFile).catch((error: unknown) => {
      // What is to be written anew need not be readable.
      if (update && !failed) return undefined;
      throw error;
    });
    if (expected !== undefined && isMet(expected, outcome)) return { ...known, verdict: "met", outcome };
    if (update && !failed) {
      await writeExpected(expectedFile, outcome);
      return { ...known, verdict: "updated", outcome };
    }
    if (expected !== undefined) return { ...known, verdict: "differs", outcome, expected, expectedFile };
    return { ...known, verdict: failed ? "failed" : "unchecked", outcome };
  } catch (error) {
    if (!(error instanceof WasmhookError)) throw error;
    return { ...known, verdict: "bad", error, file };
  }
}

/** Whether the result makes the whole test fail. */
export function isFailure({ verdict }: Pick<CaseResult, "verdict">): boolean {
  return verdict === "differs" || verdict === "failed" || verdict === "bad";
}
