import { type ChildProcess, execFile, spawn } from "node:child_process";
import { getEventListeners } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startCommand } from "#src/runners/command/run";
import {
  call,
  cwd,
  exited,
  expectGone,
  failed,
  killAfterTest,
  openFilesAtRest,
  pidsIn,
  runToEnd,
  until,
} from "./command-support.js";

const RUN_MODULE = import.meta.resolve("#src/runners/command/run");

/** Every way in which a run ends. */
const ENDS: [what: string, command: string, changes?: { timeoutMs?: number; cwd?: string }][] = [
  ["an exit", "cat; exit 1"],
  ["a signal", "kill -KILL $$"],
  ["a deadline", "sleep 100", { timeoutMs: 100 }],
  ["a held pipe", "sleep 100 & exit", { timeoutMs: 100 }],
  ["too much output", "yes"],
  ["bad output", "printf '\\377'"],
  ["a start that failed", "exit", { cwd: "/no/such/directory" }],
];

describe("nothing is left in this process", () => {
  test.skipIf(!existsSync("/proc/self/fd"))(
    "no file is open that was not before (skipped without /proc)",
    async () => {
      await runToEnd("exit");
      const before = await openFilesAtRest();
      for (const [, command, changes] of ENDS)
        await runToEnd(command, { stdin: "x".repeat(1_000_000), ...changes });
      expect(await openFilesAtRest()).toBe(before);
    },
  );

  test.each(ENDS)("no listener, timer or handle after %s", async (_what, command, changes) => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const resources = () =>
      process
        .getActiveResourcesInfo()
        .filter((name) => /Process|Pipe|Timeout/.test(name))
        .sort();
    const signal = new AbortController().signal;
    const before = { listeners: listeners(), resources: resources() };
    await runToEnd(command, { signal, stdin: "x".repeat(1_000_000), ...changes });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(listeners()).toEqual(before.listeners);
    await until(
      () => resources().length <= before.resources.length,
      `${resources()} are ${before.resources}`,
    );
  });

  test("a program that ran a command ends by itself, though a process that cannot be found holds the pipes", async () => {
    const script = `
      import { startCommand } from ${JSON.stringify(RUN_MODULE)};
      const command = "setsid sh -c 'echo $$ > pids; exec sleep 100' & while ! [ -s pids ]; do sleep 0.01; done";
      const result = await startCommand({ ...${JSON.stringify(call(""))}, command, timeoutMs: 2000 }).result;
      console.log(result.failure.code);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      cwd,
      timeout: 20_000,
    });
    pidsIn("pids").forEach(killAfterTest);
    expect(stdout).toBe("deadline\n");
  });

  test("a start that fails for want of file descriptors is a failed command, not a crash", async () => {
    const script = `
      import { openSync } from "node:fs";
      import { startCommand } from ${JSON.stringify(RUN_MODULE)};
      try { for (;;) openSync("/dev/null"); } catch {}
      const result = await startCommand(${JSON.stringify(call("echo"))}).result;
      process.exitCode = result.failure.code === "command-not-started" && /EMFILE/.test(result.failure.message) ? 42 : 1;`;
    // Enough to load the modules, of which many are open at once.
    const limited = 'ulimit -n 256; exec "$@"';
    const args = ["-c", limited, "sh", process.execPath, "--input-type=module", "-e", script];
    const child = spawn("sh", args, { stdio: "ignore" });
    expect(await exitOf(child)).toBe(42);
  });
});

describe("many at once", () => {
  test("50 commands run side by side, each with its own answer", async () => {
    const runs = Array.from({ length: 50 }, (_, i) =>
      runToEnd(`echo $$ >> pids; read line; echo "$line $N"; exit ${i}`, {
        env: { N: `${i}` },
        stdin: `in ${i}\n`,
      }),
    );
    const results = await Promise.all(runs);
    expect(results.map(exited)).toEqual(
      results.map((_, i) => ({ exitCode: i, stdout: `in ${i} ${i}\n`, stderr: "" })),
    );
    expect(new Set(pidsIn("pids")).size).toBe(50);
    await expectGone(pidsIn("pids"));
  });

  test("50 commands that hang end by their deadline and leave nothing", async () => {
    const runs = Array.from({ length: 50 }, () =>
      runToEnd("sleep 100 & echo $$ $! >> pids; wait", { timeoutMs: 4_000 }),
    );
    for (const result of await Promise.all(runs)) expect(failed(result).code).toBe("deadline");
    expect(new Set(pidsIn("pids")).size).toBe(100);
    await expectGone(pidsIn("pids"));
  });

  test("the event loop goes on while a command runs", async () => {
    let over = false;
    const result = startCommand(call("while ! [ -e go ]; do sleep 0.01; done")).result.finally(() => {
      over = true;
    });
    let turns = 0;
    await until(() => ++turns === 20, "the loop turned 20 times");
    expect(over).toBe(false);
    writeFileSync(join(cwd, "go"), "");
    expect(exited(await result).exitCode).toBe(0);
  });
});

describe("when this process ends in the middle of a run, the command ends with it", () => {
  const start = `
    import { startCommand } from ${JSON.stringify(RUN_MODULE)};
    import { existsSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    const running = startCommand(CALL).result;
    while (!existsSync("ready")) await sleep(5);`;

  async function commandAfter(
    ending: string,
    during?: (child: ChildProcess) => void,
  ): Promise<number | string | null> {
    const command = "trap '' TERM; sleep 100 & echo $$ $! > pids; touch ready; wait";
    const script = start.replace("CALL", () => JSON.stringify(call(command))) + ending;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd, stdio: "ignore" });
    if (during !== undefined) {
      await until(() => existsSync(join(cwd, "listening")), "the program listens for signals");
      during(child);
    }
    const exit = await exitOf(child);
    expect(readFileSync(join(cwd, "pids"), "utf8")).toMatch(/^\d+ \d+\n$/);
    await expectGone(pidsIn("pids"));
    return exit;
  }

  test("by process.exit", async () => {
    expect(await commandAfter("process.exit(7);")).toBe(7);
  });

  test("by an exception that nobody catches", async () => {
    expect(await commandAfter("throw new Error('bug');")).toBe(1);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "by %s that is turned into process.exit",
    async (signal) => {
      const ending = `
      import { writeFileSync } from "node:fs";
      process.once("${signal}", () => process.exit(3));
      writeFileSync("listening", "");
      await running;`;
      expect(await commandAfter(ending, (child) => child.kill(signal))).toBe(3);
    },
  );
});

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}
