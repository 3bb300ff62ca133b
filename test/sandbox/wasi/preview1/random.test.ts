import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { TEXT_FUEL } from "#src/sandbox/host";
import { RANDOM_BYTES_LIMIT } from "#src/sandbox/wasi/preview1/guest-random";
import { sha256 } from "#src/sandbox/wasi/preview1/sha256";
import { command } from "../../../support/commands.js";
import { componentFromWat } from "../../../support/components.js";
import { codeOf, exitOf, run, valuesOf } from "./run-command.js";
import { ERRNO } from "./specification.js";

const random = (address: number | string, bytes: number | string) =>
  `(call $random_get (i32.const ${address}) (i32.const ${bytes}))`;
/** Tells 16 random bytes in hexadecimal digits, each of four bits plus 65 ("A"). */
const tells = (extra = "") =>
  command({
    fields: extra,
    start: `(drop ${random(1024, 16)})
      (loop $next
        (local.set $j (i32.load8_u offset=1024 (local.get $i)))
        (i32.store16 offset=2048 (i32.shl (local.get $i) (i32.const 1))
          (i32.add (i32.const 0x4141)
            (i32.or (i32.shr_u (local.get $j) (i32.const 4)) (i32.shl (i32.and (local.get $j) (i32.const 15)) (i32.const 8)))))
        (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 16))))
      (call $write (i32.const 1) (i32.const 2048) (i32.const 32))`,
  });

function toldBytes(text: string): Buffer {
  const digits = Array.from(text, (char) => (char.charCodeAt(0) - 65).toString(16));
  return Buffer.from(digits.join(""), "hex");
}

/** xoshiro128** in big integers, from its description: https://prng.di.unimi.it/xoshiro128starstar.c */
function* xoshiro(seed: Buffer): Generator<number> {
  const cut = (value: bigint) => BigInt.asUintN(32, value);
  const rotl = (value: bigint, bits: bigint) => cut(value << bits) | (value >> (32n - bits));
  const s = [0, 4, 8, 12].map((offset) => BigInt(seed.readUInt32LE(offset))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  while (true) {
    yield Number(cut(rotl(cut(s[1] * 5n), 7n) * 9n));
    const t = cut(s[1] << 9n);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11n);
  }
}

describe("random bytes", () => {
  test.each(["{}", "é😀", ""])(
    "are xoshiro128** on the SHA-256 of the module's and the event (%j)",
    async (event) => {
      const module = createHash("sha256")
        .update(await componentFromWat(tells()))
        .digest();
      const seed = createHash("sha256").update(module).update(event).digest();
      const expected = Buffer.alloc(16);
      const numbers = xoshiro(seed);
      for (let at = 0; at < 16; at += 4) expected.writeUInt32LE(numbers.next().value as number, at);
      expect(toldBytes(exitOf(await run(tells(), { event })).stdout)).toEqual(expected);
    },
  );

  test("are others for another event, and for another module that does the same", async () => {
    const [one, same, event, module] = await Promise.all([
      run(tells(), { event: "a" }),
      run(tells(), { event: "a" }),
      run(tells(), { event: "b" }),
      run(tells("(global i32 (i32.const 1))"), { event: "a" }),
    ]);
    expect(exitOf(same).stdout).toBe(exitOf(one).stdout);
    expect(new Set([one, event, module].map((report) => exitOf(report).stdout)).size).toBe(3);
  });

  test("of one call go on in the next", async () => {
    const [, first, , second] = await valuesOf([
      random(256, 4),
      "(i32.load (i32.const 256))",
      random(256, 4),
      "(i32.load (i32.const 256))",
    ]);
    expect(second).not.toBe(first);
  });

  test("fill a length that is no multiple of a word, and not a byte more", async () => {
    const values = await valuesOf([random(256, 3), "(i32.load8_u (i32.const 259))", random(256, 0)]);
    expect(values).toEqual([0, 0, 0]);
  });
});

describe("how many random bytes there are", () => {
  test("has a cap for one call", async () => {
    const pages = RANDOM_BYTES_LIMIT / 65_536 + 1;
    const exits = (bytes: number) => command({ pages, start: `(call $proc_exit ${random(0, bytes)})` });
    expect(exitOf(await run(exits(RANDOM_BYTES_LIMIT))).exitCode).toBe(0);
    expect(exitOf(await run(exits(RANDOM_BYTES_LIMIT + 1))).exitCode).toBe(ERRNO.inval);
  });

  test("is paid for, byte by byte, and the seed once by the bytes of the event", async () => {
    const fuel = async (bytes: number, calls = 1, event = "") => {
      const start = `(drop ${random(256, bytes)}) `.repeat(calls);
      return (await run(command({ start }), { event })).fuelUsed;
    };
    expect((await fuel(11)) - (await fuel(10))).toBe(1);
    // Passing the event in, and two for the seed.
    expect((await fuel(0, 1, "aa")) - (await fuel(0, 1, "a"))).toBe(TEXT_FUEL + 2);
    expect((await fuel(0, 2, "aa")) - (await fuel(0, 2, "a"))).toBe(TEXT_FUEL + 2);
  });

  test("a gigabyte of them ends the fuel", async () => {
    const start = `(loop $l (drop ${random(0, 65_536)}) (br $l))`;
    expect(codeOf(await run(command({ start })))).toBe("out-of-fuel");
  });
});

describe("SHA-256 is that of other tools", () => {
  test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_000])("of %i bytes", (length) => {
    // From within a larger buffer.
    const bytes = new Uint8Array(length + 3).map((_, i) => i * 7).subarray(3);
    expect(Buffer.from(sha256(bytes))).toEqual(createHash("sha256").update(bytes).digest());
  });
});
