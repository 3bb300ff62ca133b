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
  #numbers: Xoshiro | undefined;

  /** @param module its SHA-256, as bytes */
  constructor(module: readonly number[], event: Uint8Array, host: Host) {
    this.#module = module;
    this.#event = event;
    this.#host = host;
  }

  /** @throws SystemError `inval` for more than is given at once */
  fill(bytes: Uint8Array): void {
    if (bytes.length > RANDOM_BYTES_LIMIT) throw SystemError.of("inval");
    this.#host.pay(bytes.length * RANDOM_FUEL);
    this.#numbers ??= this.#start();
    for (let at = 0; at < bytes.length; at += 4) {
      const word = this.#numbers.next();
      // What is beyond the end is not written.
      bytes[at] = word;
      bytes[at + 1] = word >>> 8;
      bytes[at + 2] = word >>> 16;
      bytes[at + 3] = word >>> 24;
    }
  }

  #start(): Xoshiro {
    const seed = new Uint8Array(this.#module.length + this.#event.length);
    this.#host.pay(seed.length * SEED_FUEL);
    seed.set(this.#module);
    seed.set(this.#event, this.#module.length);
    return new Xoshiro(new DataView(sha256(seed).buffer));
  }
}

class Xoshiro {
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;

  /** @param seed 16 bytes, not all of them 0 */
  constructor(seed: DataView) {
    this.#s0 = seed.getInt32(0, true);
    this.#s1 = seed.getInt32(4, true);
    this.#s2 = seed.getInt32(8, true);
    this.#s3 = seed.getInt32(12, true);
  }

  /** 32 bits. */
  next(): number {
    const s1 = this.#s1;
    const s2 = this.#s2 ^ this.#s0;
    const s3 = this.#s3 ^ s1;
    this.#s1 = s1 ^ s2;
    this.#s0 ^= s3;
    this.#s2 = s2 ^ (s1 << 9);
    this.#s3 = rotated(s3, 11);
    return Math.imul(rotated(Math.imul(s1, 5), 7), 9);
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
