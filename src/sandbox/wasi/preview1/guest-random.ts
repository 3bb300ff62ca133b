import type { Host } from "../../host.js";
import { sha256 } from "./sha256.js";
import { SystemError } from "./system-error.js";

/** In one call; a seed needs a few. */
export const RANDOM_BYTES_LIMIT = 1024 * 1024;
/** Each byte. */
const RANDOM_FUEL = 1;
/** Each byte that the seed is of, once. */
const SEED_FUEL = 2;

/**
 * Numbers that are as good as random and no secret: the same module gets the same ones for the same event.
 * By xoshiro128**, of which the state starts as the first half of the SHA-256 of the module's own and the event.
 * Source: https://prng.di.unimi.it/xoshiro128starstar.c
 */
export class GuestRandom {
  readonly #module: readonly number[];
  readonly #event: Uint8Array;
  readonly #host: Host;
  #state: Uint32Array | undefined;

  /** @param module its SHA-256, as bytes */
  constructor(module: readonly number[], event: Uint8Array, host: Host) {
    this.#module = module;
    this.#event = event;
    this.#host = host;
  }

  /** @throws SystemError `inval` for more than is given at once */
  fill(bytes: Uint8Array): void {
    if (bytes.length > RANDOM_BYTES_LIMIT) throw new SystemError("inval");
    this.#host.pay(bytes.length * RANDOM_FUEL);
    this.#state ??= this.#start();
    let word = 0;
    for (let i = 0; i < bytes.length; i++) {
      word = i % 4 === 0 ? next(this.#state) : word >>> 8;
      bytes[i] = word;
    }
  }

  #start(): Uint32Array {
    const seed = new Uint8Array(this.#module.length + this.#event.length);
    this.#host.pay(seed.length * SEED_FUEL);
    seed.set(this.#module);
    seed.set(this.#event, this.#module.length);
    const digest = new DataView(sha256(seed).buffer);
    return Uint32Array.from({ length: 4 }, (_, i) => digest.getUint32(i * 4, true));
  }
}

function next(state: Uint32Array): number {
  const [s0, s1, s2, s3] = state as unknown as [number, number, number, number];
  const mixed2 = s2 ^ s0;
  const mixed3 = s3 ^ s1;
  state[0] = s0 ^ mixed3;
  state[1] = s1 ^ mixed2;
  state[2] = mixed2 ^ (s1 << 9);
  state[3] = rotated(mixed3, 11);
  return Math.imul(rotated(Math.imul(s1, 5), 7), 9);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
