import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startCommand } from "#src/runners/command/run";
import {
  call,
  cwd,
  exited,
  expectGone,
  failed,
  isAlive,
  killAfterTest,
  pidsIn,
  runToEnd,
  until,
} from "./command-support.js";

const timeoutMs = 1_000;
/** What "by the deadline" may be on a busy machine: what is awaited otherwise takes 100 s. */
const BOUND_MS = 10 * timeoutMs;

describe("by the deadline a result is there, and the group is gone soon after, when the command", () => {
  test.each([
    ["sleeps", "echo $$ > pids; sleep 100"],
    ["computes", "echo $$ > pids; while :; do :; done"],
    ["ignores SIGTERM", "trap '' TERM; echo $$ > pids; sleep 100 & echo $! >> pids; wait"],
    ["catches SIGTERM and goes on", "trap ':' TERM; echo $$ > pids; while :; do sleep 1; done"],
    ["is stopped", "echo $$ > pids; kill -STOP $$"],
    ["runs a pipeline", "echo $$ > pids; sleep 100 | sleep 100 & echo $! >> pids; wait"],
    ["closed its output", "echo $$ > pids; exec >/dev/null 2>&1; sleep 100"],
    ["floods stderr", "echo $$ > pids; yes >&2"],
    ["has many children", "i=0; while [ $i -lt 50 ]; do sleep 100 & echo $! >> pids; i=$((i+1)); done; wait"],
    [
      "has children of children",
      "(sh -c 'sleep 100 & echo $! >> pids; wait' & wait) & echo $! >> pids; wait",
    ],
    ["starts ever new processes", "echo $$ > pids; while :; do (sleep 100; sleep 100) & sleep 0.02; done"],
  ])("%s", async (_what, command) => {
    const running = startCommand(call(command, { timeoutMs }));
    const result = await running.result;
    expect(failed(result)).toEqual({
      code: "deadline",
      message: "the command did not end within 1000 ms and was killed: make it faster or raise its timeout",
      data: { deadlineMs: timeoutMs },
    });
    expect(result.durationMs).toBeLessThan(BOUND_MS);
    await running.ended;
    await expectGone(pidsIn("pids"));
  });

  test("never reads 8 MiB of stdin", async () => {
    const stdin = "x".repeat(8 * 1024 * 1024);
    const result = await runToEnd("echo $$ > pids; sleep 100", { timeoutMs, stdin });
    expect(failed(result).code).toBe("deadline");
    expect(result.durationMs).toBeLessThan(BOUND_MS);
    await expectGone(pidsIn("pids"));
  });
});

describe("a process that holds the output open after the command exited", () => {
  test("is waited for up to the deadline, which is then a failure that says so, and is killed", async () => {
    const result = await runToEnd("sleep 100 & echo $! > pids; echo '{}'", { timeoutMs });
    const { code, message } = failed(result);
    expect(code).toBe("deadline");
    expect(message).toContain("a process that it left behind still held its output open after 1000 ms");
    expect(result.durationMs).toBeLessThan(BOUND_MS);
    await expectGone(pidsIn("pids"));
  });

  test("does not take back the exit code of a command that refuses: at the deadline the code is the answer", async () => {
    const command = "sleep 100 & echo $! > pids; echo out; echo 'no force push' >&2; exit 2";
    const result = await runToEnd(command, { timeoutMs });
    expect(exited(result)).toEqual({ exitCode: 2, stdout: "out\n", stderr: "no force push\n" });
    expect(result.durationMs).toBeLessThan(BOUND_MS);
    await expectGone(pidsIn("pids"));
  });

  test("and floods it does not take back that exit code either", async () => {
    const flood = "trap '' TERM; sleep 0.5; exec yes";
    const result = await runToEnd(`(${flood}) & echo $! > pids; echo no >&2; exit 2`);
    const { exitCode, stderr } = exited(result);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "no\n" });
    await expectGone(pidsIn("pids"));
  });

  test("and floods it after exit code 0 is a failure", async () => {
    const result = await runToEnd("(sleep 0.5; exec yes) & echo $! > pids; exit 0");
    expect(failed(result).code).toBe("output-too-large");
    await expectGone(pidsIn("pids"));
  });

  test("is killed though it ignores SIGTERM", async () => {
    const result = await runToEnd("(trap '' TERM; sleep 100) & echo $! > pids", { timeoutMs });
    expect(failed(result).code).toBe("deadline");
    await expectGone(pidsIn("pids"));
  });

  test("may still give the answer", async () => {
    const { stdout } = exited(await runToEnd('(sleep 0.3; echo \'{"action":"deny"}\') & exit 0'));
    expect(stdout).toBe('{"action":"deny"}\n');
  });

  test("that left the session and the group never delays the result, but lives on", async () => {
    const command =
      "setsid sh -c 'echo $$ > pids; exec sleep 100' & while ! [ -s pids ]; do sleep 0.01; done";
    const running = startCommand(call(command, { timeoutMs: 2_000 }));
    const result = await running.result;
    await running.ended;
    const [pid] = pidsIn("pids") as [number];
    killAfterTest(pid);
    expect(failed(result).code).toBe("deadline");
    expect(result.durationMs).toBeLessThan(BOUND_MS);
    expect(isAlive(pid)).toBe(true);
  });
});

describe("a process in the background that does not hold the output open", () => {
  test("is not waited for, and is killed with the end of the command", async () => {
    const result = await runToEnd("sleep 100 >/dev/null 2>&1 & echo $! > pids; echo '{}'");
    expect(exited(result).stdout).toBe("{}\n");
    await expectGone(pidsIn("pids"));
  });

  test("is killed though it ignores SIGTERM", async () => {
    const result = await runToEnd("(trap '' TERM; exec sleep 100) >/dev/null 2>&1 & echo $! > pids; exit 1");
    expect(exited(result).exitCode).toBe(1);
    await expectGone(pidsIn("pids"));
  });

  test("is killed when the command was killed by a signal", async () => {
    const result = await runToEnd("sleep 100 >/dev/null 2>&1 & echo $! > pids; kill -KILL $$");
    expect(failed(result).data).toMatchObject({ signal: "SIGKILL" });
    await expectGone(pidsIn("pids"));
  });
});

test("SIGTERM comes first: a command has time to clean up", async () => {
  const command = "trap 'echo cleaned > report; exit' TERM; sleep 100 & wait";
  expect(failed(await runToEnd(command, { timeoutMs })).code).toBe("deadline");
  expect(readFileSync(join(cwd, "report"), "utf8")).toBe("cleaned\n");
});

test("an abort in the middle of a run gives the result at once and ends the group", async () => {
  const abort = new AbortController();
  const running = startCommand(call("sleep 100 & echo $$ $! > pids; wait", { signal: abort.signal }));
  await until(
    () => existsSync(join(cwd, "pids")) && readFileSync(join(cwd, "pids"), "utf8").endsWith("\n"),
    "it runs",
  );
  abort.abort();
  const result = await running.result;
  expect(failed(result)).toMatchObject({ code: "aborted", data: {} });
  await running.ended;
  await expectGone(pidsIn("pids"));
});

test("a command that ends before its deadline is not bothered by it", async () => {
  expect(exited(await startCommand(call("sleep 0.1; echo done", { timeoutMs: 20_000 })).result).stdout).toBe(
    "done\n",
  );
});

test("a deadline beyond what a timer can hold is no deadline at once", async () => {
  const result = await startCommand(call("sleep 0.1; echo done", { timeoutMs: 2 ** 40 })).result;
  expect(exited(result).stdout).toBe("done\n");
});
