import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookEvent, loadHooks } from "#src/index";
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

  it.each(KINDS)("ends a %s hook when its signal aborts, and folds that as any failure", async (kind) => {
    const hooks = await load(await mmAgent(HANGING));
    const { decision, runs } = await hooks.run(named(kind), { signal: AbortSignal.timeout(300) });
    expect(decision).toBe("deny");
    expect(runs[0]?.error?.code).toBe("aborted");
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
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await hooks[Symbol.asyncDispose]();
      for (const { decision, runs: [{ error }] } of await Promise.all(runs)) console.log(decision, error.code);`;
    const ended = await embedding(await mmAgent(HANGING), body);
    expect(ended).toEqual({ exitCode: 0, stdout: "deny aborted\ndeny closed\n", stderr: "" });
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
