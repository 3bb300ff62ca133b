import type { Tank } from "../../tank.js";
import { SystemError } from "./system-error.js";

/** What a unit of fuel counts for, about what it buys: the resolution of both clocks. */
export const NANOSECONDS_PER_UNIT = 5n;

/** Where clocks stand when a run starts, by their numbers: 2000-01-01T00:00:00Z, and 0 for the monotonic one. */
const STARTS: readonly bigint[] = [946_684_800_000_000_000n, 0n];

const MAX_TIMESTAMP = 2n ** 64n - 1n;

/** Clocks that go by the fuel that was charged for the code up to a call, and by what the guest has slept. */
export class GuestClock {
  readonly #tank: Tank;
  #sleptNs = 0n;

  constructor(tank: Tank) {
    this.#tank = tank;
  }

  /** @returns nanoseconds @throws SystemError `inval` for a clock that there is not, which those of CPU time are */
  now(id: number): bigint {
    const start = STARTS[id];
    if (start === undefined) throw SystemError.of("inval");
    return capped(start + BigInt(this.#tank.fuelUsed) * NANOSECONDS_PER_UNIT + this.#sleptNs);
  }

  sleep(nanoseconds: bigint): void {
    this.#sleptNs = capped(this.#sleptNs + nanoseconds);
  }
}

function capped(timestamp: bigint): bigint {
  return timestamp > MAX_TIMESTAMP ? MAX_TIMESTAMP : timestamp;
}
