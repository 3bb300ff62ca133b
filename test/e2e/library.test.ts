import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookEvent, loadHooks, type RunOptions } from "#src/index";
import { folder, program } from "../support/cli.js";
import { constGuest, echoGuest, loopGuest } from "../support/guests.js";
import { component, KINDS, load, mmAgent, prints } from "./hooks.js";

const CALL: HookEvent = {
  event: "preToolCall",
  cwd: tmpdir(),
  tool: { name: "bash", input: { command: "ls" } },
};
const context = (text: string) => JSON.stringify({ context: text });

/** A command and a module, with a context each. */
const FINE = {
  preToolCall: [
    { command: prints(context("command")) },
    { wasm: await component(constGuest(context("module"))) },
  ],
};
/** One of either kind that does not end by itself, for the tool of that name. */
const HANGING = {
  preToolCall: [
    { command: "sleep 100", matcher: "^command$", onError: "fail" },
    {
      wasm: await component(loopGuest),
      limits: { fuel: "1000000G" },
      matcher: "^wasm$",
      onError: "fail",
    },
  ],
};
const named = (name: string): HookEvent => ({ ...CALL, tool: { name, input: {} } });

describe("hooks are read once:", () => {
  it.each<[string, (agent: string) => Promise<void>]>([
    [
      "changed",
      async (agent) => {
        const module = join(dirname(agent), "preToolCall-1.wasm");
        await writeFile(module, await component(constGuest(context("other"))));
        await writeFile(agent, "hooks:\n  preToolCall:\n    - command: exit 9\n      onError: fail\n");
      },
    ],
    [
      "damaged",
      async (agent) => {
        await writeFile(join(dirname(agent), "preToolCall-1.wasm"), "no module");
        await writeFile(agent, "{");
      },
    ],
    ["deleted", (agent) => rm(dirname(agent), { recursive: true })],
  ])("what was approved is what runs when its files are %s afterwards", async (_what, change) => {
    const hooks = await load(await mmAgent(FINE));
    await change(hooks.config.file);
    for (const _time of [1, 2]) {
      expect((await hooks.run(CALL)).context).toBe("command\nmodule");
    }
  });
});

describe("run()", () => {
  it("rejects what is no event, and never for what a hook did", async () => {
    const hooks = await load(await mmAgent({ preToolCall: [{ command: "exit 9" }] }));
    await expect(hooks.run({ event: "preToolCall", cwd: "/" })).rejects.toMatchObject({
      name: "WasmhookError",
      code: "event-without-tool",
    });
    expect((await hooks.run(CALL)).decision).toBe("none");
  });

  it("rejects every event where the file did not load: a broken guard is not no guard", async () => {
    const directory = await folder({ "agent.yaml": "hooks:\n  preToolCall:\n    - comand: exit 1\n" });
    await using hooks = await loadHooks(join(directory, "agent.yaml"));
    expect(hooks.problems.map(({ code }) => code)).toEqual(["unknown-key", "no-runner"]);
    await expect(hooks.run(CALL)).rejects.toMatchObject({
      code: "config-invalid",
      data: { problemCount: 2 },
    });
  });

  it.each(KINDS)("rejects when its signal aborts, and ends the %s hook that runs", async (kind) => {
    const hooks = await load(await mmAgent(HANGING));
    const run = hooks.run(named(kind), { signal: AbortSignal.timeout(300) });
    await expect(run).rejects.toMatchObject({ name: "WasmhookError", code: "aborted" });
  });

  it("may share its signal with many runs", async () => {
    const { signal } = new AbortController();
    const hooks = await load(await mmAgent(FINE));
    await Promise.all(Array.from({ length: 16 }, () => hooks.run(CALL, { signal })));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("starts no further hook once its signal aborted, whatever the failure of the first means", async () => {
    const agent = await mmAgent({
      preToolCall: [
        { command: "sleep 100", onError: "ignore" },
        { command: "echo ran > second" },
        { wasm: await component(constGuest("{}")) },
      ],
    });
    const cwd = dirname(agent);
    const hooks = await load(agent);
    const run = hooks.run({ ...CALL, cwd }, { signal: AbortSignal.timeout(300) });
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    expect(existsSync(join(cwd, "second"))).toBe(false);
  });

  it("rejects a signal that aborted before, though no hook is for the event", async () => {
    const hooks = await load(await mmAgent({ postGeneration: [{ command: "exit 0" }] }));
    await expect(hooks.run(CALL, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it.each<[unknown, string]>([
    [null, "none"],
    [undefined, "none"],
    [{}, "none"],
    [{ signal: null }, "none"],
    [7, "none"],
    [{ signal: "now" }, "usage"],
    [{ signal: new AbortController() }, "usage"],
  ])("given the options %j decides or says %s", async (options, said) => {
    const hooks = await load(await mmAgent({ preToolCall: [{ command: "exit 0" }] }));
    const run = hooks.run(CALL, options as RunOptions);
    expect(
      await run.then(
        ({ decision }) => decision,
        ({ code }) => code,
      ),
    ).toBe(said);
  });

  it("runs every hook on the event as it was when it was given", async () => {
    const hooks = await load(
      await mmAgent({
        preToolCall: [
          { command: "cat >/dev/null" },
          { command: `if grep -q ls; then ${prints(context("seen"))}; fi` },
        ],
      }),
    );
    const input: { command: string } = { command: "ls" };
    const event: HookEvent = { ...CALL, tool: { name: "bash", input } };
    const run = hooks.run(event);
    input.command = "rm";
    event.event = "postGeneration";
    expect((await run).context).toBe("seen");
  });

  it("gives a command no event that a module would not get: 16 MiB is too large for both", async () => {
    const hooks = await load(await mmAgent({ preToolCall: [{ command: "exit 0" }] }));
    const large = { ...CALL, note: "x".repeat(16 * 1024 * 1024) };
    await expect(hooks.run(large)).rejects.toMatchObject({ code: "event-too-large" });
  });
});

describe("close()", () => {
  /** Runs a program that embeds the library; `hooks` and `call` are there for it. */
  function embedding(agent: string, body: string) {
    const library = new URL("../../dist/index.js", import.meta.url).href;
    const source = `import { loadHooks } from ${JSON.stringify(library)};
      const hooks = await loadHooks(process.argv[1]);
      const call = ${JSON.stringify(CALL)};
      ${body}`;
    return program(process.execPath, ["--input-type=module", "-e", source, agent]);
  }

  it.each([
    [
      "after it has run its hooks, once or twice",
      "await hooks.run(call); await hooks.close(); await hooks.close();",
    ],
    ["before anything has run", "await hooks.close();"],
  ])("lets a process exit that closes %s", async (_when, body) => {
    const ended = await embedding(await mmAgent(FINE), `${body} console.log("done");`);
    expect(ended).toEqual({ exitCode: 0, stdout: "done\n", stderr: "" });
  });

  it("ends the hooks that are still running, and lets the process exit", async () => {
    const body = `
      const runs = ["command", "wasm"].map((name) => hooks.run({ ...call, tool: { name, input: {} } }));
      for (const run of runs) run.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await hooks[Symbol.asyncDispose]();
      for (const { reason } of await Promise.allSettled(runs)) console.log(reason.name, reason.code);`;
    const ended = await embedding(await mmAgent(HANGING), body);
    expect(ended).toEqual({
      exitCode: 0,
      stdout: "WasmhookError closed\nWasmhookError closed\n",
      stderr: "",
    });
  });

  it("makes every later run reject", async () => {
    const hooks = await load(await mmAgent({ preToolCall: [{ wasm: await component(echoGuest) }] }));
    await hooks.close();
    await expect(hooks.run(CALL)).rejects.toMatchObject({ code: "closed" });
  });

  it("if forgotten does not keep a process from exiting", async () => {
    const ended = await embedding(await mmAgent(FINE), "console.log((await hooks.run(call)).context);");
    expect(ended).toEqual({ exitCode: 0, stdout: "command\nmodule\n", stderr: "" });
  });
});
