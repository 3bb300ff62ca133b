import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
import { Sandbox } from "#src/sandbox/sandbox";
import { Turns } from "#src/sandbox/turns";
import { childrenOf } from "../../support/child-processes.js";
import { hookComponent } from "../../support/components.js";
import {
  configGuest,
  echoGuest,
  errGuest,
  growGuest,
  guest,
  logGuest,
  loopGuest,
  recurseGuest,
  trapGuest,
} from "../../support/guests.js";
import { codeOf, loadGuest, outputOf, runGuest, runModule } from "../run-guest.js";

const sandbox = new SandboxProcesses();
const threads = new Sandbox();
afterAll(() => Promise.all([sandbox.close(), threads.close()]));

const opened: SandboxProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((own) => own.close()));
});
/** One that no other test has used. */
function ownSandbox(options?: ConstructorParameters<typeof SandboxProcesses>[0]): SandboxProcesses {
  const own = new SandboxProcesses({ turns: new Turns(2), ...options });
  opened.push(own);
  return own;
}

const ENDLESS = { fuel: Number.MAX_SAFE_INTEGER };

/** The processes that were started meanwhile. */
async function startedBy(act: () => Promise<unknown>): Promise<number[]> {
  const before = new Set(await childrenOf(process.pid));
  await act();
  return (await childrenOf(process.pid)).filter((pid) => !before.has(pid));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > end) expect.fail("it is still not so after 20 seconds");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("a guest in a process of its own", () => {
  test.each([
    ["answers", echoGuest],
    ["logs", logGuest],
    ["reads its config", configGuest],
    ["says that it failed", errGuest("no")],
    ["traps", trapGuest],
    ["loops", loopGuest],
    ["grows its memory", growGuest],
    ["recurses", recurseGuest],
    ["answers nonsense", guest({ handle: "(i32.const -8)" })],
    ["is no hook", "(module)"],
  ])("that %s ends as it does in a thread of this one", async (_what, wat) => {
    const options = { event: '{"text":"é😀\\ud800"}', config: '{"a":[1]}', limits: { fuel: 5_000_000 } };
    const [here, there] = await Promise.all(
      [threads, sandbox].map(async (where) => {
        const { durationMs: _, ...run } = await runGuest<never>(where as never, wat, options).catch(
          (failure: Error) => ({ durationMs: 0, refused: { ...failure, message: failure.message } }),
        );
        return run;
      }),
    );
    expect(there).toEqual(here);
  });

  test("finds no variable and no argument but ours, no standard stream, and no folder of the user", async () => {
    const own = ownSandbox();
    const [pid] = await startedBy(() => runGuest(own, echoGuest));
    if (!existsSync(`/proc/${pid}`)) return expect(process.platform).not.toBe("linux");
    expect(await readFile(`/proc/${pid}/environ`, "utf8")).toMatch(
      /^ELECTRON_RUN_AS_NODE=1\0NODE_CHANNEL_FD=\d+\0NODE_CHANNEL_SERIALIZATION_MODE=advanced\0$/,
    );
    expect((await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0")).toEqual([
      process.execPath,
      "--v8-pool-size=1",
      expect.stringMatching(/sandbox-process\.js$/),
      "",
    ]);
    expect(await readlink(`/proc/${pid}/cwd`)).toBe("/");
    for (const fd of [0, 1, 2]) expect(await readlink(`/proc/${pid}/fd/${fd}`)).toBe("/dev/null");
  });
});

describe("a process", () => {
  test("that is killed while its guest runs is one failed run, and the next event is answered", async () => {
    const own = ownSandbox();
    const module = await loadGuest(own, loopGuest);
    const [pid = 0] = await childrenOf(process.pid).then((all) => all.slice(-1));
    const run = runModule(own, module, { limits: ENDLESS });
    setTimeout(() => process.kill(pid, "SIGABRT"), 100);
    const { result } = await run;
    expect(result).toMatchObject({
      failure: { code: "worker-died", message: expect.stringMatching(/SIGABRT/) },
    });
    expect(outputOf(await runGuest(own, echoGuest, { event: "next" }))).toBe("next");
  });

  test("that hangs as a whole is ended soon after the deadline", async () => {
    const own = ownSandbox();
    const module = await loadGuest(own, echoGuest);
    const [pid = 0] = await childrenOf(process.pid).then((all) => all.slice(-1));
    process.kill(pid, "SIGSTOP");
    expect((await runModule(own, module, { limits: { deadlineMs: 100 } })).result).toMatchObject({
      failure: { code: "deadline", data: { deadlineMs: 100 } },
    });
    expect(await childrenOf(process.pid)).not.toContain(pid);
  });

  test("serves event after event, though guests fail in it", async () => {
    const own = ownSandbox();
    const started = await startedBy(async () => {
      for (const wat of [echoGuest, trapGuest, "(module)", loopGuest, echoGuest]) {
        await runGuest(own, wat, { limits: { fuel: 1_000_000 } }).catch(() => {});
      }
    });
    expect(started).toHaveLength(1);
  });

  test("is not used again after it was out of time", async () => {
    const own = ownSandbox();
    const before = await startedBy(() => runGuest(own, echoGuest));
    const run = await runGuest(own, loopGuest, { limits: { ...ENDLESS, deadlineMs: 100 } });
    expect(codeOf(run)).toBe("deadline");
    expect(await startedBy(() => runGuest(own, echoGuest))).not.toEqual([]);
    await until(async () => !(await childrenOf(process.pid)).includes(before[0] ?? 0));
  });

  test("that holds more memory than it may is out of memory and ended, and the next event is answered", async () => {
    const own = ownSandbox();
    const module = await loadGuest(own, loopGuest);
    const [pid = 0] = await childrenOf(process.pid).then((all) => all.slice(-1));
    const limits = { ...ENDLESS, memoryBytes: 65_536, outputBytes: 1, logsBytes: 1 };
    const config = "x".repeat(100 * 1024 * 1024);
    const { result } = await runModule(own, module, { config, limits });
    expect(result).toMatchObject({
      failure: { code: "out-of-memory", message: expect.stringMatching(/over the \d+ that it may/) },
    });
    await until(async () => !(await childrenOf(process.pid)).includes(pid));
    expect(outputOf(await runGuest(own, echoGuest, { event: "next" }))).toBe("next");
  });

  test("is replaced before the engine has had more modules than it can bear", async () => {
    const own = ownSandbox({ modulesPerProcess: 1 });
    const before = await childrenOf(process.pid);
    expect(outputOf(await runGuest(own, echoGuest, { event: "next" }))).toBe("next");
    await until(async () => (await childrenOf(process.pid)).length <= before.length);
  });

  test("that cannot be started is a failed run which names it", async () => {
    const own = ownSandbox({ execPath: "/nowhere/node" });
    await expect(runGuest(own, echoGuest)).rejects.toMatchObject({
      code: "worker-died",
      message: expect.stringMatching(/\/nowhere\/node/),
    });
  });

  test("that does not find its own files is a failed run, not one that waits", async () => {
    const own = ownSandbox({ execPath: "/bin/true" });
    await expect(runGuest(own, echoGuest)).rejects.toMatchObject({ code: "worker-died" });
  });
});

describe("many at once", () => {
  test("fifty events each get their own answer, in no more processes than there are turns", async () => {
    const own = ownSandbox();
    const events = Array.from({ length: 50 }, (_, i) => `{"n":${i}}`);
    let outputs: string[] = [];
    const started = await startedBy(async () => {
      const module = await loadGuest(own, echoGuest);
      const runs = await Promise.all(events.map((event) => runModule(own, module, { event })));
      outputs = runs.map(outputOf);
    });
    expect(outputs).toEqual(events);
    expect(started.length).toBeLessThanOrEqual(2);
  });

  test("sandboxes share the turns of this process", async () => {
    const [one, other] = [new SandboxProcesses(), new SandboxProcesses()];
    opened.push(one, other);
    const modules = await Promise.all([loadGuest(one, loopGuest), loadGuest(other, loopGuest)]);
    const limits = { ...ENDLESS, deadlineMs: 60_000 };
    const cuts = Array.from({ length: 8 }, () => new AbortController());
    const runs = [one, other].flatMap((own, i) =>
      cuts.map(({ signal }) => runModule(own, modules[i]!, { limits, signal })),
    );
    await until(async () => (await busyChildren()) > 0);
    // Those that wait for their turn have started nothing; `sandbox` keeps some of its own.
    const { availableParallelism } = await import("node:os");
    const most = Math.min(4, Math.max(1, availableParallelism() - 1));
    expect(await busyChildren()).toBeLessThanOrEqual(most);
    for (const cut of cuts) cut.abort();
    for (const run of await Promise.all(runs)) expect(codeOf(run)).toBe("aborted");
  });
});

/** How many children take a processor's time. */
async function busyChildren(): Promise<number> {
  const pids = await childrenOf(process.pid);
  const times = async () =>
    Promise.all(
      pids.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return Number(fields[11] ?? 0);
      }),
    );
  const before = await times();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const after = await times();
  return after.filter((time, i) => time - (before[i] ?? 0) > 2).length;
}

describe("abort, close and the end of this process", () => {
  test("an aborted run leaves no process that goes on with it", async () => {
    const own = ownSandbox();
    const module = await loadGuest(own, loopGuest);
    const pids = await childrenOf(process.pid);
    const run = await runModule(own, module, { limits: ENDLESS, signal: AbortSignal.timeout(100) });
    expect(codeOf(run)).toBe("aborted");
    await until(async () => (await childrenOf(process.pid)).length < pids.length);
  });

  test("closing ends what runs as `closed`, and no process is left", async () => {
    const own = ownSandbox();
    let run: Promise<unknown> = Promise.resolve();
    const started = await startedBy(async () => {
      const module = await loadGuest(own, loopGuest);
      run = runModule(own, module, { limits: ENDLESS }).then(codeOf);
    });
    await own.close();
    expect(await run).toBe("closed");
    const left = await childrenOf(process.pid);
    expect(left.filter((pid) => started.includes(pid))).toEqual([]);
    await expect(runGuest(own, echoGuest)).rejects.toMatchObject({ code: "closed" });
  });

  const PROGRAM = `
    import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
    import { DEFAULT_LIMITS } from "#src/hooks/limits";
    import { stdin, stdout } from "node:process";
    const sandbox = new SandboxProcesses();
    const chunks = [];
    for await (const chunk of stdin) chunks.push(chunk);
    const limits = { ...DEFAULT_LIMITS, fuel: Number(process.env.FUEL), deadlineMs: 60_000 };
    const module = await sandbox.load(Buffer.concat(chunks), "digest", limits);
    stdout.write("loaded ");
    const { result } = await sandbox.run(module, { event: "{}", config: "null", limits });
    stdout.write(JSON.stringify(result));`;

  async function program(wat: string, fuel: number) {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
      env: { ...process.env, FUEL: String(fuel) },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.stdin.end(await hookComponent(wat));
    return { child, said: () => said };
  }

  test("a program that never closed its sandbox exits by itself", async () => {
    const { child, said } = await program(echoGuest, 1e6);
    expect(await once(child, "close")).toEqual([0, null]);
    expect(said()).toBe('loaded {"ok":"{}"}');
  });

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "a program that dies of %s leaves no process behind",
    async (signal) => {
      const { child, said } = await program(loopGuest, Number.MAX_SAFE_INTEGER);
      await until(async () => said() === "loaded ");
      const pids = await childrenOf(child.pid ?? 0);
      expect(pids).toHaveLength(1);
      child.kill(signal);
      await once(child, "close");
      await until(async () => !isAlive(pids[0] ?? 0));
    },
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
