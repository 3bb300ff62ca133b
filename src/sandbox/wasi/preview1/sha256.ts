const BLOCK_BYTES = 64;
/** A 1 bit after the message, and its length in 64. */
const PADDING_BYTES = 9;

const INITIAL = words("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
const ROUNDS = words(
  "428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5" +
    "d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174" +
    "e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da" +
    "983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967" +
    "27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85" +
    "a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070" +
    "19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3" +
    "748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2",
);

/**
 * SHA-256 where there is nothing but the language.
 * Source: FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4
 */
export function sha256(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + PADDING_BYTES) / BLOCK_BYTES);
  const whole = Math.floor(message.length / BLOCK_BYTES) * BLOCK_BYTES;
  const tail = new Uint8Array(blocks * BLOCK_BYTES - whole);
  tail.set(message.subarray(whole));
  tail[message.length - whole] = 0x80;
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(message.length) * 8n);
  const state = INITIAL.slice();
  compress(state, new DataView(message.buffer, message.byteOffset, whole));
  compress(state, new DataView(tail.buffer));
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setInt32(i * 4, word);
  return new Uint8Array(digest.buffer);
}

function compress(state: Int32Array, blocks: DataView): void {
  const schedule = new Int32Array(64);
  for (let at = 0; at < blocks.byteLength; at += BLOCK_BYTES) {
    for (let i = 0; i < 16; i++) schedule[i] = blocks.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const early = schedule[i - 15] as number;
      const late = schedule[i - 2] as number;
      const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      schedule[i] = (schedule[i - 16] as number) + s0 + (schedule[i - 7] as number) + s1;
    }
    // By their indices: taking eight at once is many times slower.
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let i = 0; i < 64; i++) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (schedule[i] as number)) | 0;
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] = (state[0] as number) + a;
    state[1] = (state[1] as number) + b;
    state[2] = (state[2] as number) + c;
    state[3] = (state[3] as number) + d;
    state[4] = (state[4] as number) + e;
    state[5] = (state[5] as number) + f;
    state[6] = (state[6] as number) + g;
    state[7] = (state[7] as number) + h;
  }
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function words(hex: string): Int32Array {
  return Int32Array.from(hex.match(/.{8}/g) ?? [], (digits) => Number.parseInt(digits, 16));
}
