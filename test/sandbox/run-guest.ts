import { createHash } from "node:crypto";
import type { ErrorCode } from "#src/errors";
import type { Limits } from "#src/hooks/hook";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import type { GuestHost, SandboxRun } from "#src/sandbox/sandbox";
import { hookComponent } from "../support/components.js";

export const HOST = '"wasmhook:hook/host@1.0.0"';
/** Leaves the address of an answer without an opinion. */
export const NOTHING = "(call $answer (i32.const 0) (i32.const 0) (i32.const 0))";

export interface RunOptions {
  event?: string;
  config?: string;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
}

export async function loadGuest<Module>(
  sandbox: GuestHost<Module>,
  wat: string,
  limits: Partial<Limits> = {},
): Promise<Module> {
  const bytes = await hookComponent(wat);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return await sandbox.load(bytes, sha256, { ...DEFAULT_LIMITS, ...limits });
}

export async function runModule<Module>(
  sandbox: GuestHost<Module>,
  module: Module,
  { event = "{}", config = "null", limits = {}, signal }: RunOptions = {},
): Promise<SandboxRun> {
  return await sandbox.run(module, { event, config, limits: { ...DEFAULT_LIMITS, ...limits }, signal });
}

/** Loads a guest from the text of its core module, and runs it once. */
export async function runGuest<Module>(
  sandbox: GuestHost<Module>,
  wat: string,
  options: RunOptions = {},
): Promise<SandboxRun> {
  return await runModule(sandbox, await loadGuest(sandbox, wat, options.limits), options);
}

export function outputOf(run: SandboxRun): string {
  if ("failure" in run.result) throw run.result.failure;
  if ("exit" in run.result) throw new Error("the guest is a command");
  return run.result.ok;
}

/** The code that the run failed with; "ok" where it did not. */
export function codeOf(run: SandboxRun): ErrorCode | "ok" {
  return "failure" in run.result ? run.result.failure.code : "ok";
}
