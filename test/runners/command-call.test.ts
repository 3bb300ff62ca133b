import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startCommand } from "#src/runners/command/run";
import { call, cwd, exited, failed, runToEnd } from "./command-support.js";

const MIB = 1024 * 1024;

describe("the exit", () => {
  test.each([0, 1, 2, 255])("exit code %i is no failure of the run", async (exitCode) => {
    const result = await runToEnd(`echo out; echo err >&2; exit ${exitCode}`);
    expect(exited(result)).toEqual({ exitCode, stdout: "out\n", stderr: "err\n" });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test("a command that the shell does not find has the shell's exit code", async () => {
    expect(exited(await runToEnd("no-such-command-here")).exitCode).toBe(127);
  });

  test("a command killed by a signal failed, and its stderr is kept", async () => {
    const failure = failed(await runToEnd("echo why >&2; kill -SEGV $$"));
    expect(failure).toEqual({
      code: "command-failed",
      message: "the command was killed by SIGSEGV: why",
      data: { exitCode: null, signal: "SIGSEGV", stderr: "why" },
    });
  });
});

describe("the shell", () => {
  test("the shell that is asked for runs the command: bash knows arrays and [[", async () => {
    const result = await runToEnd(`[[ ab == a* ]] && x=(1 2 3) && echo "$0 \${#x[@]}"`, {
      shell: ["bash", "-c"],
    });
    expect(exited(result).stdout).toBe("bash 3\n");
  });

  test("the shell that is asked for runs the command: sh", async () => {
    expect(exited(await runToEnd('echo "$0"')).stdout).toBe("sh\n");
  });

  test("every argument of the shell comes before the command", async () => {
    expect(exited(await runToEnd("false; echo not reached", { shell: ["sh", "-e", "-c"] }))).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "",
    });
  });

  test("the command runs in its working directory", async () => {
    expect(exited(await runToEnd("pwd -P")).stdout).toBe(`${realpathSync(cwd)}\n`);
  });

  test("variables are added to the environment of this process, and go before it", async () => {
    process.env.WASMHOOK_TEST_KEPT = "kept";
    process.env.WASMHOOK_TEST_CHANGED = "old";
    const result = await runToEnd('echo "$WASMHOOK_TEST_KEPT $WASMHOOK_TEST_CHANGED $WASMHOOK_TEST_NEW"', {
      env: { WASMHOOK_TEST_CHANGED: "new", WASMHOOK_TEST_NEW: "a b\n'\"$c" },
    });
    delete process.env.WASMHOOK_TEST_KEPT;
    delete process.env.WASMHOOK_TEST_CHANGED;
    expect(exited(result).stdout).toBe("kept new a b\n'\"$c\n");
  });
});

describe("stdin", () => {
  test("it is written as UTF-8 and closed", async () => {
    const stdin = '{"a":"é 日本 🎣"}';
    expect(exited(await runToEnd("cat", { stdin })).stdout).toBe(stdin);
  });

  test("an empty one is closed at once", async () => {
    expect(exited(await runToEnd("cat; echo end")).stdout).toBe("end\n");
  });

  test("8 MiB arrive whole", async () => {
    const stdin = "0123456789abcdef".repeat(MIB / 2);
    expect(exited(await runToEnd("wc -c", { stdin })).stdout.trim()).toBe(`${8 * MIB}`);
  });

  test.each([
    ["never reads it", "echo '{}'"],
    ["reads a part of it", "head -c 3 >/dev/null; echo '{}'"],
    ["closes it and goes on", "exec 0<&-; sleep 0.2; echo '{}'"],
    ["never reads it and takes its time", "sleep 0.2; echo '{}'"],
    ["execs a program that never reads it", "exec echo '{}'"],
  ])("a command that %s is no error, with 8 MiB of it too", async (_what, command) => {
    for (const stdin of ["", "x", "x".repeat(8 * MIB)]) {
      expect(exited(await runToEnd(command, { stdin }))).toEqual({ exitCode: 0, stdout: "{}\n", stderr: "" });
    }
  });
});

describe("the terminal", () => {
  test.skipIf(!existsSync("/proc/self/stat"))(
    "the command leads a session and a group of its own and has no terminal (skipped without /proc)",
    async () => {
      const { stdout } = exited(await runToEnd("cat /proc/$$/stat"));
      // proc(5): pid (comm) state ppid pgrp session tty_nr
      const [pid, , , , pgrp, session, tty] = stdout.split(" ");
      expect({ pgrp, session, tty }).toEqual({ pgrp: pid, session: pid, tty: "0" });
    },
  );

  test("what asks at the terminal fails at once instead of waiting", async () => {
    expect(exited(await runToEnd("read answer </dev/tty; exit 3")).exitCode).not.toBe(0);
  });

  test("stdin, stdout and stderr are no terminals", async () => {
    const { stdout } = exited(await runToEnd("for fd in 0 1 2; do [ -t $fd ] && echo $fd; done; echo none"));
    expect(stdout).toBe("none\n");
  });
});

describe("a command that cannot be started", () => {
  test("in a directory that is not there", async () => {
    const missing = join(cwd, "missing");
    expect(failed(await runToEnd("echo", { cwd: missing }))).toEqual({
      code: "command-not-started",
      message: `the command was not started, there is no directory ${missing}: correct the event's cwd`,
      data: { cause: "spawn sh ENOENT" },
    });
  });

  test("in a directory that is a file", async () => {
    const file = join(cwd, "file");
    writeFileSync(file, "");
    const { code, message } = failed(await runToEnd("echo", { cwd: file }));
    expect(code).toBe("command-not-started");
    expect(message).toContain(`there is no directory ${file}`);
  });

  test("by a shell that is not there", async () => {
    expect(failed(await runToEnd("echo", { shell: ["no-such-shell", "-c"] }))).toEqual({
      code: "command-not-started",
      message:
        "the command was not started, there is no shell no-such-shell: install it or put it on the PATH",
      data: { cause: "spawn no-such-shell ENOENT" },
    });
  });

  test("by a shell that is no program", async () => {
    writeFileSync(join(cwd, "shell"), "", { mode: 0o644 });
    const { code, message } = failed(await runToEnd("echo", { shell: [join(cwd, "shell"), "-c"] }));
    expect(code).toBe("command-not-started");
    expect(message).toContain("EACCES");
  });

  test("with a null character in its command line", async () => {
    const inVariable = { env: { TOOL: "a\0b" } };
    for (const result of [await runToEnd("echo \0"), await runToEnd("echo", inVariable)]) {
      expect(failed(result)).toMatchObject({
        code: "command-not-started",
        message:
          "the command was not started, its command line, its directory or a variable has a null character: " +
          "remove that from the config file or the event",
      });
    }
  });

  test("with more variables than the system takes", async () => {
    const { code, message } = failed(await runToEnd("echo", { env: { BIG: "x".repeat(32 * MIB) } }));
    expect(code).toBe("command-not-started");
    expect(message).toContain("longer than the system takes (E2BIG): shorten the command");
  });
});

describe("an abort signal", () => {
  test("that was raised before keeps the command from starting", async () => {
    const result = await runToEnd("touch started", { signal: AbortSignal.abort() });
    expect(failed(result).code).toBe("aborted");
    expect(existsSync(join(cwd, "started"))).toBe(false);
  });

  test("that is raised after the command ended changes nothing", async () => {
    const abort = new AbortController();
    const result = await startCommand(call("cat", { stdin: "in", signal: abort.signal })).result;
    abort.abort();
    expect(exited(result).stdout).toBe("in");
  });
});

test("a command can do its work: it writes a file that is there when it ended", async () => {
  await runToEnd("cat > event.json", { stdin: '{"event":"preToolCall"}' });
  expect(readFileSync(join(cwd, "event.json"), "utf8")).toBe('{"event":"preToolCall"}');
});
