import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { HOST_CALL_FUEL, HOST_CALLS_LIMIT } from "#src/sandbox/host";
import { LOG_LINES_LIMIT } from "#src/sandbox/run-log";
import { Sandbox } from "#src/sandbox/sandbox";
import { TABLE_ELEMENTS_LIMIT } from "#src/sandbox/tank";
import { componentFromWat } from "../support/components.js";
import {
  BUMP,
  configGuest,
  constGuest,
  echoGuest,
  growGuest,
  guest,
  logGuest,
  loopGuest,
  recurseGuest,
} from "../support/guests.js";
import { core, EXPORT, lift } from "./link/odd-components.js";
import { codeOf, HOST, loadGuest, NOTHING, outputOf, runGuest, runModule } from "./run-guest.js";

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const LOG_IMPORT = `(import ${HOST} "log" (func $log (param i32 i32 i32)))`;
const CONFIG_IMPORT = `(import ${HOST} "config" (func $config (param i32)))`;
const FOR_EVER = "(loop $again (br $again))";
const HANDLE = "wasmhook:hook/handler@1.0.0#handle";

function logInLoop(times: number, length: number): string {
  return guest({
    imports: LOG_IMPORT,
    handle: `(local $i i32)
      (loop $again
        (call $log (i32.const 1) (i32.const 0) (i32.const ${length}))
        (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${times}))))
      ${NOTHING}`,
  });
}

describe("fuel", () => {
  test.each([
    ["in the handler", loopGuest],
    ["in a start function", guest({ fields: `(func $start ${FOR_EVER}) (start $start)`, handle: NOTHING })],
    [
      "after the answer, in post-return",
      guest({ fields: `(func (export "cabi_post_${HANDLE}") (param i32) ${FOR_EVER})`, handle: NOTHING }),
    ],
    [
      "in cabi_realloc, while the event is passed",
      guest({ handle: NOTHING, realloc: `${FOR_EVER} ${BUMP}` }),
    ],
    [
      "in cabi_realloc, while the config is passed",
      guest({
        imports: CONFIG_IMPORT,
        fields: "(global $armed (mut i32) (i32.const 0))",
        handle: `(global.set $armed (i32.const 1)) (call $config (i32.const 32)) ${NOTHING}`,
        realloc: `(if (global.get $armed) (then ${FOR_EVER})) ${BUMP}`,
      }),
    ],
    ["by calling the host", logInLoop(0xffff_ffff, 0)],
  ])("a guest that loops for ever %s runs out of fuel", async (_where, wat) => {
    const run = await runGuest(sandbox, wat, { limits: { fuel: 2_000_000 } });
    expect(run.result).toMatchObject({ failure: { code: "out-of-fuel", data: { fuelLimit: 2_000_000 } } });
    expect(run.fuelUsed).toBe(2_000_000);
  });

  test("a guest gets through with exactly the fuel that it needs, and not with one unit less", async () => {
    const module = await loadGuest(sandbox, logGuest);
    const needed = (await runModule(sandbox, module, { event: "12345" })).fuelUsed ?? 0;
    const exact = await runModule(sandbox, module, { event: "12345", limits: { fuel: needed } });
    const short = await runModule(sandbox, module, { event: "12345", limits: { fuel: needed - 1 } });
    expect([codeOf(exact), exact.fuelUsed, codeOf(short)]).toEqual(["ok", needed, "out-of-fuel"]);
  });

  test("a call to the host and each byte of text that crosses cost what is published", async () => {
    const fuel = async (event: string) => (await runGuest(sandbox, logGuest, { event })).fuelUsed ?? 0;
    // Two units into the guest, two out of it into the log.
    expect((await fuel("ab")) - (await fuel("a"))).toBe(4);
    const without = (await runGuest(sandbox, constGuest(""), { event: "a" })).fuelUsed ?? 0;
    expect((await fuel("a")) - without).toBeGreaterThanOrEqual(HOST_CALL_FUEL);
    expect((await fuel("a")) - without).toBeLessThan(HOST_CALL_FUEL + 50);
    const config = async (text: string) =>
      (await runGuest(sandbox, configGuest, { config: text })).fuelUsed ?? 0;
    expect((await config('"abc"')) - (await config('"ab"'))).toBe(4);
  });

  test("an event that costs more than all the fuel is a failure before the guest starts", async () => {
    const run = await runGuest(sandbox, logGuest, { event: "a".repeat(1000), limits: { fuel: 1999 } });
    expect([codeOf(run), run.logs]).toEqual(["out-of-fuel", []]);
  });
});

describe("memory and stack", () => {
  test("a guest that grows its memory for ever is out of memory, and got all that its limit allows", async () => {
    const run = await runGuest(sandbox, growGuest);
    expect(run.result).toMatchObject({
      failure: { code: "out-of-memory", data: { memoryBytes: 67_108_864 } },
    });
    expect(run.peakMemoryBytes).toBe(67_108_864);
  });

  test("a guest that is refused memory and manages without is no failure", async () => {
    const wat = guest({
      handle: `(if (i32.ne (memory.grow (i32.const 65000)) (i32.const -1)) (then unreachable)) ${NOTHING}`,
    });
    expect(codeOf(await runGuest(sandbox, wat))).toBe("ok");
  });

  test("core modules that each start within the limit are out of memory where together they do not", async () => {
    const component = (pages: number) =>
      componentFromWat(`(component
        (core module $big (memory ${pages})) (core instance (instantiate $big)) (core instance (instantiate $big))
        ${core("$m", guest({ handle: NOTHING }))} (core instance $main (instantiate $m)) ${lift("$main")} ${EXPORT})`);
    const codes = await Promise.all(
      [511, 512].map(async (pages) => {
        const module = await sandbox.load(await component(pages), `${pages}`, DEFAULT_LIMITS);
        return codeOf(await runModule(sandbox, module));
      }),
    );
    expect(codes).toEqual(["ok", "out-of-memory"]);
  });

  test("the event itself can be too large for the guest's memory", async () => {
    const run = await runGuest(sandbox, echoGuest, {
      event: "a".repeat(200_000),
      limits: { memoryBytes: 131_072 },
    });
    expect(codeOf(run)).toBe("out-of-memory");
  });

  test("a guest that calls itself for ever exhausts the stack", async () => {
    expect(codeOf(await runGuest(sandbox, recurseGuest))).toBe("stack-exhausted");
  });

  test("the stack may end in a call to the host", async () => {
    const wat = guest({
      imports: LOG_IMPORT,
      fields: "(func $deeper (call $log (i32.const 0) (i32.const 0) (i32.const 0)) (call $deeper))",
      handle: `(call $deeper) ${NOTHING}`,
    });
    const run = await runGuest(sandbox, wat, { limits: { fuel: 100_000_000_000 } });
    expect(codeOf(run)).toBe("stack-exhausted");
  });

  test("tables grow to their cap and no further", async () => {
    const wat = guest({
      fields: "(table $t 1 funcref)",
      textBytes: 1,
      handle: `
        (if (i32.eq (table.grow $t (ref.null func) (i32.const ${TABLE_ELEMENTS_LIMIT})) (i32.const -1))
          (then (i32.store8 (i32.const 1024) (i32.const 49))))
        (if (i32.eq (table.grow $t (ref.null func) (i32.const ${TABLE_ELEMENTS_LIMIT - 1})) (i32.const -1))
          (then (i32.store8 (i32.const 1024) (i32.const 50))))
        (call $answer (i32.const 0) (i32.const 1024) (i32.const 1))`,
    });
    expect(outputOf(await runGuest(sandbox, wat))).toBe("1");
  });
});

describe("output and log", () => {
  test("an answer as long as its limit passes, and one byte more does not", async () => {
    const limits = { outputBytes: 100 };
    const exact = await runGuest(sandbox, echoGuest, { event: "a".repeat(100), limits });
    const over = await runGuest(sandbox, echoGuest, { event: "a".repeat(101), limits });
    expect(codeOf(exact)).toBe("ok");
    expect(over.result).toMatchObject({ failure: { code: "output-too-large", data: { outputBytes: 101 } } });
  });

  test("the limit counts bytes of UTF-8, not characters", async () => {
    const run = await runGuest(sandbox, echoGuest, { event: "é".repeat(51), limits: { outputBytes: 100 } });
    expect(run.result).toMatchObject({ failure: { data: { outputBytes: 102 } } });
  });

  test("an error's message has the same limit", async () => {
    const wat = guest({ handle: "(call $answer (i32.const 1) (local.get $ptr) (local.get $len))" });
    const run = await runGuest(sandbox, wat, { event: "a".repeat(101), limits: { outputBytes: 100 } });
    expect(codeOf(run)).toBe("output-too-large");
  });

  test("a log line that is over the limit is cut between characters, and the log says so", async () => {
    const run = await runGuest(sandbox, logGuest, { event: "😀😀😀", limits: { logsBytes: 10 } });
    expect(run.logs).toEqual([
      { level: "info", message: "😀😀" },
      { level: "warn", message: expect.stringContaining("(2 bytes)") },
    ]);
    expect(codeOf(run)).toBe("ok");
  });

  test("nothing is kept after the first drop", async () => {
    const run = await runGuest(sandbox, logInLoop(5, 4), { limits: { logsBytes: 6 } });
    expect(run.logs.map(({ message }) => message.length).slice(0, 2)).toEqual([4, 2]);
    expect(run.logs).toHaveLength(3);
    expect(run.logs[2]).toMatchObject({ level: "warn", message: expect.stringContaining("(14 bytes)") });
  });

  test("a log of empty lines is cut at the cap on lines", async () => {
    const exact = await runGuest(sandbox, logInLoop(LOG_LINES_LIMIT, 0));
    const over = await runGuest(sandbox, logInLoop(LOG_LINES_LIMIT + 5, 0));
    expect(exact.logs).toHaveLength(LOG_LINES_LIMIT);
    expect(over.logs).toHaveLength(LOG_LINES_LIMIT + 1);
    expect(over.logs.at(-1)).toMatchObject({ level: "warn", message: expect.stringContaining("dropped") });
  });

  test("calls to the host are capped, whatever the fuel", async () => {
    const limits = { fuel: 1_000_000_000_000, deadlineMs: 60_000 };
    const run = await runGuest(sandbox, logInLoop(HOST_CALLS_LIMIT + 1, 0), { limits });
    expect(run.result).toMatchObject({ failure: { code: "trap", data: { trap: "too many host calls" } } });
  });
});
