import type { Range } from "../../binary/bytes.js";
import { sha256 } from "./sha256.js";

/** What is to be known of a command beside its code, as plain data: what a link plan is to a component. */
export interface CommandPlan {
  /** The whole file. */
  readonly modules: readonly Range[];
  /** What its random numbers are seeded by beside the event: the file's SHA-256, as bytes. */
  readonly seed: readonly number[];
}

/** @param bytes of a core module that `inspect` accepts */
export function commandPlan(bytes: Uint8Array): CommandPlan {
  return { modules: [{ start: 0, end: bytes.length }], seed: [...sha256(bytes)] };
}
