import type { Limits, RunLimits } from "./hook.js";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits of a wasm hook that declares none: the one place where they are set. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  fuel: 100_000_000,
  memoryBytes: 64 * MIB,
  outputBytes: MIB,
  logsBytes: 64 * KIB,
  deadlineMs: 10_000,
};

/** What each limit may be set to: whole numbers, both ends included. */
export const LIMIT_RANGES: Readonly<Record<keyof RunLimits, Readonly<{ min: number; max: number }>>> = {
  fuel: { min: 1, max: 1e15 },
  // One page is the least that a memory can have; 4 GiB is all that 32-bit addresses reach.
  memoryBytes: { min: 64 * KIB, max: 4096 * MIB },
  outputBytes: { min: 1, max: 64 * MIB },
  logsBytes: { min: 1, max: 64 * MIB },
  deadlineMs: { min: 1, max: 24 * 3600 * 1000 },
};

/** Limits of which some are set anew, of the module's each for itself. */
export function withLimits(limits: Limits, over: Partial<Limits>): Limits {
  const { module: _, ...run } = { ...limits, ...over };
  const module = { ...limits.module, ...over.module };
  return Object.keys(module).length === 0 ? run : { ...run, module };
}

/** A command hook that declares no timeout. Source: the mnemoai document; `mm` hooks get the same. */
export const DEFAULT_COMMAND_TIMEOUT_MS = 30_000;

/** An event of this size or more is refused. */
export const EVENT_BYTES_LIMIT = 16 * MIB;
