import { describe, expect, test } from "vitest";
import { HOST_CALL_FUEL } from "#src/sandbox/host";
import { command } from "../../../support/commands.js";
import { exitOf, run, valuesOf } from "./run-command.js";
import { ERRNO } from "./specification.js";

const NOW = 256;
const now = (clock: number, at = NOW) =>
  `(call $clock_time_get (i32.const ${clock}) (i64.const 0) (i32.const ${at}))`;
const seconds = (at: number) =>
  `(i32.wrap_i64 (i64.div_u (i64.load (i32.const ${at})) (i64.const 1000000000)))`;
const nanoseconds = (at: number) =>
  `(i32.wrap_i64 (i64.rem_u (i64.load (i32.const ${at})) (i64.const 1000000000)))`;

/** Whole seconds of 2000-01-01T00:00:00Z. */
const START = Date.UTC(2000, 0, 1) / 1000;
const REALTIME = 0;
const MONOTONIC = 1;

describe("clocks", () => {
  test("start at the same time in each run, and go by the fuel that was used", async () => {
    const values = () =>
      valuesOf([now(REALTIME), seconds(NOW), nanoseconds(NOW), now(MONOTONIC), seconds(NOW)]);
    const first = await values();
    expect(first).toEqual([0, START, expect.any(Number), 0, 0]);
    expect(first[2]).toBeGreaterThanOrEqual(5 * HOST_CALL_FUEL);
    expect(first[2]).toBeLessThan(5 * (HOST_CALL_FUEL + 1000));
    expect(await values()).toEqual(first);
  });

  test.each([REALTIME, MONOTONIC])(
    "the clock %i goes 5 ns for each unit of fuel, which is its resolution",
    async (clock) => {
      const passed = (turns: number) => [
        now(clock, 256),
        `(block (result i32)
        (local.set $n (i32.const ${turns}))
        (loop $turn (br_if $turn (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
        (i32.const 0))`,
        now(clock, 264),
        "(i32.wrap_i64 (i64.sub (i64.load (i32.const 264)) (i64.load (i32.const 256))))",
      ];
      const [, , , short = 0] = await valuesOf(passed(10));
      const [, , , long = 0] = await valuesOf(passed(11));
      // Five instructions in each turn.
      expect(long - short).toBe(5 * 5);
      expect(short).toBeGreaterThan(5 * HOST_CALL_FUEL);
      expect(
        await valuesOf([
          `(call $clock_res_get (i32.const ${clock}) (i32.const 256))`,
          "(i32.load (i32.const 256))",
        ]),
      ).toEqual([0, 5]);
    },
  );
});

/** A subscription at an address, in the layout of the specification. */
function subscription(at: number, words: Record<number, number | bigint>): string {
  const stores = Object.entries(words).map(([offset, value]) => {
    const type = typeof value === "bigint" ? "i64" : "i32";
    return `(${type}.store (i32.const ${at + Number(offset)}) (${type}.const ${value}))`;
  });
  return stores.join(" ");
}
const clockSubscription = (at: number, userdata: bigint, clock: number, timeout: bigint, flags = 0) =>
  subscription(at, { 0: userdata, 8: 0, 16: clock, 24: timeout, 32: 0n, 40: flags });
const streamSubscription = (at: number, userdata: bigint, type: 1 | 2, fd: number) =>
  subscription(at, { 0: userdata, 8: type, 16: fd });

const poll = (count: number | string) =>
  `(call $poll_oneoff (i32.const 1024) (i32.const 2048) (i32.const ${count}) (i32.const 256))`;

/** Polls these subscriptions, which start at 1024 and are 48 bytes each, and gives what then holds. */
async function polled(
  subscriptions: string[],
  expressions: string[] = [],
  event?: string,
): Promise<number[]> {
  const setUp = `(func $set ${subscriptions.join(" ")})`;
  return await valuesOf(
    [
      `(block (result i32) (call $set) ${poll(subscriptions.length)})`,
      "(i32.load (i32.const 256))",
      ...expressions,
    ],
    { fields: setUp, ...(event === undefined ? {} : { event }) },
  );
}
/** Of the event at an index: user data, error, type, bytes, flags. */
const event = (index: number) => {
  const at = 2048 + index * 32;
  return [
    `(i32.load (i32.const ${at}))`,
    `(i32.load16_u (i32.const ${at + 8}))`,
    `(i32.load8_u (i32.const ${at + 10}))`,
    `(i32.load (i32.const ${at + 16}))`,
    `(i32.load16_u (i32.const ${at + 24}))`,
  ];
};
const HOUR = 3_600_000_000_000n;

describe("waiting", () => {
  test("for a time is over at once, and the time has come", async () => {
    const values = await polled(
      [clockSubscription(1024, 77n, MONOTONIC, HOUR)],
      [...event(0), now(MONOTONIC), seconds(NOW), now(REALTIME), seconds(NOW)],
    );
    expect(values).toEqual([0, 1, 77, 0, 0, 0, 0, 0, 3600, 0, START + 3600]);
  });

  test("until a time is over at once, and it is that time", async () => {
    const until = BigInt(START + 60) * 1_000_000_000n;
    const values = await polled(
      [clockSubscription(1024, 1n, REALTIME, until, 1)],
      [now(REALTIME), seconds(NOW)],
    );
    expect(values).toEqual([0, 1, 0, START + 60]);
  });

  test("until a time that has passed does not turn it back", async () => {
    const values = await polled(
      [clockSubscription(1024, 1n, REALTIME, 5n, 1), clockSubscription(1072, 2n, MONOTONIC, HOUR)],
      [...event(0), now(REALTIME), seconds(NOW)],
    );
    expect(values).toEqual([0, 1, 1, 0, 0, 0, 0, 0, START]);
  });

  test("for several times ends with the first of them, and with all that come by then", async () => {
    const values = await polled(
      [
        clockSubscription(1024, 1n, MONOTONIC, HOUR),
        clockSubscription(1072, 2n, MONOTONIC, HOUR / 60n),
        clockSubscription(1120, 3n, REALTIME, HOUR / 60n),
      ],
      [...event(0).slice(0, 1), ...event(1).slice(0, 1), now(MONOTONIC), seconds(NOW)],
    );
    expect(values).toEqual([0, 2, 2, 3, 0, 60]);
  });

  test("for ever is over as well, and the clock stops at its end", async () => {
    const values = await polled(
      [clockSubscription(1024, 1n, MONOTONIC, -1n)],
      [now(REALTIME), "(i64.eq (i64.load (i32.const 256)) (i64.const -1))"],
    );
    expect(values).toEqual([0, 1, 0, 1]);
  });

  test("for a stream is over at once, and the time has not come", async () => {
    const values = await polled(
      [
        clockSubscription(1024, 1n, MONOTONIC, HOUR),
        streamSubscription(1072, 2n, 1, 0),
        streamSubscription(1120, 3n, 2, 1),
      ],
      [...event(0), ...event(1).slice(0, 3), now(MONOTONIC), seconds(NOW)],
      "seven!!",
    );
    expect(values).toEqual([0, 2, 2, 0, 1, 7, 0, 3, 0, 2, 0, 0]);
  });

  test("for a stdin that was read to its end tells that there is no more", async () => {
    expect(await polled([streamSubscription(1024, 2n, 1, 0)], event(0), "")).toEqual([0, 1, 2, 0, 1, 0, 1]);
  });

  test("for what cannot be is an error of that subscription", async () => {
    const values = await polled(
      [
        streamSubscription(1024, 1n, 1, 1),
        streamSubscription(1072, 2n, 2, 0),
        streamSubscription(1120, 3n, 1, 3),
        clockSubscription(1168, 4n, 2, 0n),
      ],
      [...event(0).slice(0, 3), ...event(1).slice(0, 3), ...event(2).slice(0, 3), ...event(3).slice(0, 3)],
    );
    expect(values).toEqual([
      ...[0, 4],
      ...[1, ERRNO.notcapable, 1],
      ...[2, ERRNO.notcapable, 2],
      ...[3, ERRNO.badf, 1],
      ...[4, ERRNO.inval, 0],
    ]);
  });

  test("for an unknown kind of thing is refused", async () => {
    expect((await polled([subscription(1024, { 8: 3 })]))[0]).toBe(ERRNO.inval);
  });

  test("a sleeping program comes to its end in no time", async () => {
    const sleep = `(loop $again (drop ${poll(1)})
      (drop ${now(MONOTONIC)}) (br_if $again (i64.lt_u (i64.load (i32.const 256)) (i64.const ${HOUR * 24n}))))`;
    const set = clockSubscription(1024, 1n, MONOTONIC, HOUR);
    const report = await run(command({ start: `${set} ${sleep}` }));
    expect(exitOf(report).exitCode).toBe(0);
    expect(report.fuelUsed).toBeLessThan(24 * 2 * (HOST_CALL_FUEL + 1000));
  });
});

describe("how many things are waited for", () => {
  test("has a cap, whatever they are", async () => {
    expect(await valuesOf([poll(1025), poll("0xffffffff"), poll("0x5555556")])).toEqual([
      ERRNO.inval,
      ERRNO.inval,
      ERRNO.inval,
    ]);
  });

  test("is paid for", async () => {
    const fuel = async (count: number) => (await run(command({ start: `(drop ${poll(count)})` }))).fuelUsed;
    expect((await fuel(1024)) - (await fuel(1023))).toBe(1000);
  });
});
