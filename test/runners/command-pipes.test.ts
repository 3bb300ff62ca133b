import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { mm } from "#src/dialects/mm";
import { commandRunner } from "#src/runners/command";
import { closeAll, closeSparePipes, takePipes } from "#src/runners/command/pipes";
import { startCommand } from "#src/runners/command/run";
import {
  call,
  cwd,
  exited,
  expectGone,
  failed,
  noProcessRuns,
  openFiles,
  openFilesAtRest,
  pidsIn,
  runToEnd,
  until,
} from "./command-support.js";

const RUN_MODULE = import.meta.resolve("#src/runners/command/run");
const SH = "/bin/sh";
const PATH = process.env.PATH;
const MIB = 1024 * 1024;
const onLinux = process.platform === "linux";
const runs = (file: string, ...args: string[]): boolean => spawnSync(file, args).status === 0;

afterEach(() => {
  process.env.PATH = PATH;
});

describe("the three streams can be opened by name", () => {
  const stdin = '{"event":"preToolCall"}';

  test.each([
    ["cat", "cat /dev/stdin"],
    ["cat, by its other name", "cat /dev/fd/0"],
    ["cat, long after all was written", "sleep 0.3; cat /dev/stdin"],
    ["a redirection", 'read line </dev/stdin || echo "$line"'],
    [
      "node",
      `'${process.execPath}' -e 'process.stdout.write(require("fs").readFileSync("/dev/stdin", "utf8"))'`,
    ],
  ])("/dev/stdin, by %s", async (_what, command) => {
    expect(exited(await runToEnd(command, { stdin })).stdout.trimEnd()).toBe(stdin);
  });

  test.skipIf(!runs("python3", "--version"))("/dev/stdin, by python (skipped without python3)", async () => {
    const command = `python3 -c 'print(open("/dev/stdin").read(), end="")'`;
    expect(exited(await runToEnd(command, { stdin })).stdout).toBe(stdin);
  });

  test.skipIf(!runs("jq", "--version"))("/dev/stdin, by jq (skipped without jq)", async () => {
    expect(exited(await runToEnd("jq -r .event /dev/stdin", { stdin })).stdout).toBe("preToolCall\n");
  });

  test("/dev/stdin, with 8 MiB", async () => {
    const { stdout } = exited(await runToEnd("wc -c < /dev/stdin", { stdin: "x".repeat(8 * MIB) }));
    expect(stdout.trim()).toBe(`${8 * MIB}`);
  });

  test("/dev/stdin, empty", async () => {
    expect(exited(await runToEnd("cat /dev/stdin; echo end")).stdout).toBe("end\n");
  });

  test("/dev/stdin, which goes on where the last reader stopped", async () => {
    const command = "dd bs=1 count=9 </dev/stdin 2>/dev/null; echo; cat /dev/stdin";
    expect(exited(await runToEnd(command, { stdin })).stdout).toBe('{"event":\n"preToolCall"}');
  });

  test("/dev/stdout", async () => {
    expect(exited(await runToEnd("echo a >/dev/stdout; echo b; echo c >/dev/fd/1")).stdout).toBe("a\nb\nc\n");
  });

  test("/dev/stderr", async () => {
    expect(exited(await runToEnd("echo no >/dev/stderr; exit 2"))).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "no\n",
    });
  });

  test("by 50 commands at once, each with its own", async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        runToEnd("cat /dev/stdin >/dev/stdout; echo err >/dev/stderr", { stdin: `${i}` }),
      ),
    );
    expect(results.map(exited)).toEqual(
      results.map((_, i) => ({ exitCode: 0, stdout: `${i}`, stderr: "err\n" })),
    );
  });
});

describe.skipIf(!onLinux)("on Linux (skipped elsewhere), a command", () => {
  test("has three pipes, each of its own", async () => {
    const { stdout } = exited(await runToEnd("readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2"));
    const links = stdout.trim().split("\n");
    expect(links.map((link) => link.replace(/\d+/, "N"))).toEqual(["pipe:[N]", "pipe:[N]", "pipe:[N]"]);
    expect(new Set(links).size).toBe(3);
  });

  test("has no other open file of this process, spare pipes least of all", async () => {
    const list = "echo /proc/$$/fd/*";
    const plain = spawnSync(SH, ["-c", list], { encoding: "utf8" }).stdout;
    await runToEnd("exit");
    const { stdout } = exited(await runToEnd(list));
    const files = (listed: string) =>
      listed
        .trim()
        .split(" ")
        .map((path) => Number(path.split("/").at(-1)));
    expect(files(stdout)).toEqual(files(plain));
  });

  test("has them in blocking mode, one to read and two to write", async () => {
    const { stdout } = exited(await runToEnd("cat /proc/$$/fdinfo/0 /proc/$$/fdinfo/1 /proc/$$/fdinfo/2"));
    // proc_pid_fdinfo(5): octal. open(2): O_ACCMODE 03, O_NONBLOCK 04000.
    const flags = [...stdout.matchAll(/^flags:\s+(\d+)$/gm)].map(([, octal]) =>
      Number.parseInt(octal ?? "", 8),
    );
    expect(flags.map((flag) => flag & 0o3)).toEqual([0, 1, 1]);
    expect(flags.map((flag) => flag & 0o4000)).toEqual([0, 0, 0]);
  });

  test.skipIf(!runs("unshare", "--pid", "--fork", "true"))(
    "has its own though /proc numbers processes otherwise (skipped where no process id namespace can be made)",
    async () => {
      const script = `
        import { startCommand } from ${JSON.stringify(RUN_MODULE)};
        const stdin = "in";
        console.log((await startCommand({ ...${JSON.stringify(call("cat /dev/stdin"))}, stdin }).result).stdout);`;
      const args = ["--pid", "--fork", process.execPath, "--input-type=module", "-e", script];
      expect(spawnSync("unshare", args, { encoding: "utf8" }).stdout).toBe("in\n");
    },
  );
});

describe.skipIf(!onLinux)("the pipes (skipped where Node's own will do)", () => {
  test("of eight commands in a row are made by one shell", async () => {
    closeSparePipes();
    shellOnPath(`echo $$ >> pids; exec ${SH} "$@"`);
    for (let i = 0; i < 16; i++) await runToEnd("exit", { shell: [SH, "-c"] });
    expect(pidsIn("pids")).toHaveLength(2);
    await expectGone(pidsIn("pids"));
  });

  test("that were made and not used are closed with the runner", async () => {
    const before = await openFilesAtRest();
    await runToEnd("exit");
    await noProcessRuns();
    expect(openFiles()).toBeGreaterThan(before);
    await commandRunner(mm, "/").close();
    expect(openFiles()).toBe(before);
  });

  test("that come after the runner closed are closed too", async () => {
    const before = await openFilesAtRest();
    shellOnPath(`sleep 0.3; exec ${SH} "$@"`);
    const running = startCommand(call("exit", { shell: [SH, "-c"] }));
    running.abort();
    closeSparePipes();
    expect(failed(await running.result).code).toBe("aborted");
    expect(await openFilesAtRest()).toBe(before);
  });

  test("are a part of what the deadline covers, and come too late for nothing", async () => {
    const before = await openFilesAtRest();
    shellOnPath(`sleep 1; exec ${SH} "$@"`);
    const result = await runToEnd("touch started", { shell: [SH, "-c"], timeoutMs: 100 });
    expect(failed(result)).toMatchObject({ code: "deadline", data: { deadlineMs: 100 } });
    expect(await openFilesAtRest()).toBe(before);
    expect(existsSync(join(cwd, "started"))).toBe(false);
  });

  test.each([
    ["dash", "dash"],
    ["bash", "bash --posix"],
    ["busybox", "busybox sh"],
  ])("are made by %s (or it is not here, and Node's own do)", async (name, shell) => {
    shellOnPath(`exec ${shell} "$@"`);
    const want = runs(name, "-c", "true") || runs(name, "true") ? "pipe" : "socket";
    const command = "if [ -p /dev/fd/0 ]; then echo pipe; else echo socket; fi";
    expect(exited(await runToEnd(command, { shell: [SH, "-c"] })).stdout).toBe(`${want}\n`);
  });

  test("are there whenever they are asked for, as when the shell that made others is just ending", async () => {
    const before = await openFilesAtRest();
    for (let i = 0; i < 200; i++) {
      const pipes = await takePipes();
      closeSparePipes();
      expect(pipes, `at request ${i}`).toBeDefined();
      closeAll(pipes?.ours, pipes?.theirs);
      for (let turns = i % 10; turns > 0; turns--) await setImmediate();
    }
    expect(await openFilesAtRest()).toBe(before);
  });

  test("are there for who asks while a shell fails that makes others", async () => {
    await openFilesAtRest();
    shellOnPath(`[ -e failed ] && exec ${SH} "$@"; touch failed; sleep 0.3; exit 1`);
    const first = takePipes();
    await until(() => existsSync(join(cwd, "failed")), "the shell runs");
    const [one, other] = await Promise.all([first, takePipes()]);
    expect([one, other !== undefined]).toEqual([undefined, true]);
    closeAll(other?.ours, other?.theirs);
  });

  test("leave no shell behind when this process is killed while they are made", async () => {
    shellOnPath(`echo $$ >> pids; exec ${SH} "$@"`);
    const script = `
      import { takePipes } from ${JSON.stringify(import.meta.resolve("#src/runners/command/pipes"))};
      await takePipes();
      process.kill(process.pid, "SIGKILL");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd, stdio: "ignore" });
    expect(await signalOf(child)).toBe("SIGKILL");
    await expectGone(pidsIn("pids"));
  });
});

describe.skipIf(!onLinux)("Node's own pipes do (skipped where they always do)", () => {
  const command = 'read line; echo "$line"; [ -S /dev/fd/0 ] && echo socket; echo no >&2; exit 2';
  const want = { exitCode: 2, stdout: "in\nsocket\n", stderr: "no\n" };
  const changes = { shell: [SH, "-c"] as const, stdin: "in\n" };

  test.each([
    ["is missing", undefined],
    ["fails", "exit 1"],
    ["is killed", "kill -KILL $$"],
    ["answers nothing", "exec sleep 100"],
    ["answers nonsense", "echo pipes; read -r x"],
    ["names a process that is not there", "echo 999999999; read -r x"],
    ["has here-documents that are files", "echo >file; exec 3<file 4<file 5<file; echo $$; read -r x"],
    ["has here-documents that cannot be found", "exec 3</dev/null; echo $$; read -r x"],
  ])("where the shell that makes pipes %s", async (_what, script) => {
    const before = await openFilesAtRest();
    if (script === undefined) process.env.PATH = join(cwd, "missing");
    else shellOnPath(script);
    expect(exited(await runToEnd(command, changes))).toEqual(want);
    expect(await openFilesAtRest()).toBe(before);
    process.env.PATH = PATH;
    expect(exited(await runToEnd("cat /dev/stdin", changes)).stdout).toBe("in\n");
  });

  test("in a worker thread", async () => {
    const script = `
      import(${JSON.stringify(RUN_MODULE)}).then(async ({ startCommand }) => {
        const results = [];
        for (let i = 0; i < 3; i++) results.push(await startCommand(${JSON.stringify(call(command, changes))}).result);
        require("node:worker_threads").parentPort.postMessage(results);
      });`;
    const worker = new Worker(script, { eval: true, stderr: true });
    let said = "";
    worker.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const results = await new Promise<Parameters<typeof exited>[0][]>((resolve) =>
      worker.once("message", resolve),
    );
    await worker.terminate();
    expect(results.map(exited)).toEqual([want, want, want]);
    expect(said).toBe("");
  });
});

/** Puts a shell before the others on the PATH, under the name that the pipes are made by. */
function shellOnPath(script: string): void {
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "sh"), `#!${SH}\ncd '${cwd}'\n${script}\n`, { mode: 0o755 });
  process.env.PATH = `${bin}:${PATH}`;
  closeSparePipes();
}

function signalOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
}
