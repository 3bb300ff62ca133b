import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { EVENT_BYTES_LIMIT } from "#src/hooks/limits";
import { TEXT_BYTES_LIMIT } from "#src/sandbox/host";
import { Sandbox } from "#src/sandbox/sandbox";
import { hookComponent } from "../support/components.js";
import {
  echoGuest,
  errGuest,
  growGuest,
  guest,
  logGuest,
  loopGuest,
  recurseGuest,
  trapGuest,
} from "../support/guests.js";
import { codeOf, HOST, loadGuest, outputOf, runGuest, runModule } from "./run-guest.js";

const sandbox = new Sandbox({ workers: 2 });
afterAll(() => sandbox.close());

const MIB = 1024 * 1024;

describe("a sandbox under load", () => {
  test("fifty events at once each get their own answer", async () => {
    const module = await loadGuest(sandbox, echoGuest);
    const events = Array.from({ length: 50 }, (_, i) => `{"n":${i}}`);
    const runs = await Promise.all(events.map((event) => runModule(sandbox, module, { event })));
    expect(runs.map(outputOf)).toEqual(events);
  });

  test("one module asked for at once and again is loaded once", async () => {
    const bytes = await hookComponent(echoGuest);
    const limits = { memoryBytes: MIB };
    const [first, second] = await Promise.all([
      sandbox.load(bytes, "d", limits),
      sandbox.load(bytes, "d", limits),
    ]);
    expect(second).toBe(first);
    expect(await sandbox.load(bytes, "d", limits)).toBe(first);
    expect(await sandbox.load(bytes, "d", { memoryBytes: 2 * MIB })).not.toBe(first);
  });

  test("the deadline ends a guest that has all the fuel in the world", async () => {
    const run = await runGuest(sandbox, loopGuest, {
      limits: { fuel: Number.MAX_SAFE_INTEGER, deadlineMs: 300 },
    });
    expect(run.result).toMatchObject({ failure: { code: "deadline", data: { deadlineMs: 300 } } });
    expect(run.fuelUsed).toBeUndefined();
  });

  test("a running guest can be aborted", async () => {
    const module = await loadGuest(sandbox, loopGuest);
    const limits = { fuel: Number.MAX_SAFE_INTEGER };
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(codeOf(await runModule(sandbox, module, { limits, signal: controller.signal }))).toBe("aborted");
  });

  test("limits on text are cut to what a worker can hold, however they are set", async () => {
    const wat = guest({
      handle: `(drop (memory.grow (i32.const 8000)))
        (call $answer (i32.const 0) (i32.const 1024) (i32.const ${480 * MIB}))`,
    });
    const limits = { fuel: 1e12, memoryBytes: 512 * MIB, outputBytes: 512 * MIB, deadlineMs: 60_000 };
    const run = await runGuest(sandbox, wat, { limits });
    expect(codeOf(run)).toBe("output-too-large");
  });

  test("an event that is larger than any may be is one failed run", async () => {
    const module = await loadGuest(sandbox, echoGuest);
    const run = await runModule(sandbox, module, { event: "a".repeat(EVENT_BYTES_LIMIT + 1) });
    expect(codeOf(run)).toBe("event-too-large");
  });

  test("the most text of every kind at once does not exhaust a worker", async () => {
    const wat = guest({
      imports: `(import ${HOST} "log" (func $log (param i32 i32 i32)))`,
      // One wide character makes the whole text wide.
      fields: '(data (i32.const 1024) "\\e4\\b8\\ad")',
      textBytes: 4,
      handle: `(drop (memory.grow (i32.const 2000)))
        (call $log (i32.const 1) (i32.const 1024) (i32.const ${TEXT_BYTES_LIMIT}))
        (call $answer (i32.const 0) (i32.const 1024) (i32.const ${TEXT_BYTES_LIMIT}))`,
    });
    const text = TEXT_BYTES_LIMIT;
    const limits = {
      fuel: 1e12,
      memoryBytes: 512 * MIB,
      outputBytes: text,
      logsBytes: text,
      deadlineMs: 60_000,
    };
    const event = `中${"a".repeat(EVENT_BYTES_LIMIT - 3)}`;
    expect(codeOf(await runGuest(sandbox, wat, { event, limits }))).toBe("ok");
  });

  const failing: [what: string, wat: string, code: string][] = [
    ["traps", trapGuest, "trap"],
    ["loops", loopGuest, "out-of-fuel"],
    ["grows its memory", growGuest, "out-of-memory"],
    ["recurses", recurseGuest, "stack-exhausted"],
    ["answers nonsense", guest({ handle: "(i32.const -8)" }), "bad-output"],
    ["says that it failed", errGuest("no"), "guest-error"],
  ];
  test.each(failing)(
    "thirty runs of a guest that %s leave the process as it was",
    async (_what, wat, code) => {
      const module = await loadGuest(sandbox, wat);
      const limits = { fuel: 10_000_000 };
      await runModule(sandbox, module, { limits });
      const before = process.memoryUsage().rss;
      for (let i = 0; i < 30; i++) expect(codeOf(await runModule(sandbox, module, { limits }))).toBe(code);
      // Loose: thirty guests of 64 MiB would be 1.9 GiB.
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * MIB);
      expect(outputOf(await runGuest(sandbox, echoGuest, { event: "next" }))).toBe("next");
    },
  );
});

describe("the same run again", () => {
  test("a hundred runs use the same fuel, give the same output and the same log", async () => {
    const module = await loadGuest(sandbox, logGuest);
    const seen = new Set<string>();
    for (let i = 0; i < 100; i++) {
      const { durationMs: _, ...run } = await runModule(sandbox, module, { event: '{"text":"é😀"}' });
      seen.add(JSON.stringify(run));
    }
    expect(seen.size).toBe(1);
  });
});

describe("a process that uses a sandbox", () => {
  const PROGRAM = `
    import { readFile } from "node:fs/promises";
    import { Sandbox } from "#src/sandbox/sandbox";
    import { DEFAULT_LIMITS } from "#src/hooks/limits";
    const sandbox = new Sandbox();
    const module = await sandbox.load(await readFile(process.env.COMPONENT), "digest", DEFAULT_LIMITS);
    const run = await sandbox.run(module, { event: "{}", config: "null", limits: DEFAULT_LIMITS });
    if (process.env.CLOSE === "yes") await sandbox.close();
    const workers = process.report.getReport().workers.length;
    process.stdout.write(JSON.stringify({ workers, fuel: run.fuelUsed, result: run.result }));`;

  async function runProgram(
    close: "yes" | "no",
  ): Promise<{ workers: number; fuel: number; result: unknown }> {
    const directory = await mkdtemp(join(tmpdir(), "wasmhook-test-"));
    try {
      const component = join(directory, "echo.wasm");
      await writeFile(component, await hookComponent(echoGuest));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module", "--eval", PROGRAM],
        { env: { ...process.env, COMPONENT: component, CLOSE: close }, timeout: 25_000 },
      );
      return JSON.parse(stdout);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  test("it exits by itself though the sandbox was never closed", async () => {
    expect(await runProgram("no")).toMatchObject({ result: { ok: "{}" } });
  });

  test("no thread is left once the sandbox is closed, and the fuel is the same as in this process", async () => {
    const here = await runGuest(sandbox, echoGuest);
    expect(await runProgram("yes")).toEqual({ workers: 0, fuel: here.fuelUsed, result: { ok: "{}" } });
  });
});
