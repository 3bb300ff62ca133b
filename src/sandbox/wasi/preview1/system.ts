import type { Host } from "../../host.js";
import type { Descriptors } from "./descriptors.js";
import type { GuestClock } from "./guest-clock.js";
import type { GuestMemory } from "./guest-memory.js";
import type { GuestRandom } from "./guest-random.js";

/** All that a command has of a system in one run. */
export interface System {
  readonly host: Host;
  readonly memory: GuestMemory;
  readonly descriptors: Descriptors;
  readonly clock: GuestClock;
  readonly random: GuestRandom;
  /** Once it has exited. */
  exitCode?: number;
}
