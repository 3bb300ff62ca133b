import type { GuestAnswer, GuestRequest } from "../instance.js";
import type { PortableError } from "../portable-error.js";
import type { LoadLimits, SandboxRun } from "../sandbox.js";

/** What a process needs to load a module: see `Sandbox.load`. */
export interface ModuleSource {
  bytes: Uint8Array;
  sha256: string;
  limits: LoadLimits;
}

/** What is asked of a process that holds a sandbox. The module goes along the first time that it gets its `id`. */
export interface ProcessCall {
  id: string;
  source: ModuleSource | undefined;
  /** The event to run; where there is none the module is only made ready. */
  request: GuestRequest | undefined;
}

/** A run, of nothing where there was no event, that failed where the module could not be loaded. */
export type ProcessReply = Omit<SandboxRun, "result"> & {
  result: GuestAnswer | { failure: PortableError };
};

/**
 * Each message to such a process. A module's bytes go through a pipe of their own, on `MODULE_FD`: of what is in
 * a message there are several copies at either end.
 */
export type MessageToProcess = Omit<ProcessCall, "source"> & {
  source: (Omit<ModuleSource, "bytes"> & { byteLength: number }) | undefined;
};

export const MODULE_FD = 4;

/** Each message of such a process. */
export type ProcessMessage =
  | { reply: ProcessReply | "ready" }
  /** It holds more memory than it may, and is about to end. */
  | { heldBytes: number; limitBytes: number }
  /** No guest runs, and either nothing else goes on, or for long what one left to the engine's compilers. */
  | { isQuiet: boolean };
