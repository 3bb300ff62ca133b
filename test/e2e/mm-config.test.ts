import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "#src/hooks/json";
import type { HookEvent } from "#src/index";
import { folder, runEvent, wasmhook } from "../support/cli.js";
import { componentFromWat } from "../support/components.js";
import { constGuest, logGuest, loopGuest } from "../support/guests.js";
import { handlerText } from "../support/handler.js";
import { component, hook, KINDS, load, mmAgent, outcomeOf, prints, says, sharedHooks } from "./hooks.js";
import { onPath } from "./tools.js";

const cwd = tmpdir();
const call = (name: string, input: JsonObject = { command: "ls" }): HookEvent => ({
  event: "preToolCall",
  cwd,
  tool: { name, input },
});
const QUESTION: HookEvent = { event: "preGeneration", cwd, prompt: "Why?" };
const DENIAL = { action: "deny", reason: "guarded" };

describe.each(KINDS)("a %s hook", (kind) => {
  const agent = sharedHooks(async () =>
    mmAgent({
      preToolCall: [
        await says(kind, ""),
        { matcher: "^(read|write)_|\\bsearch$", ...(await says(kind, "")) },
      ],
      preGeneration: [await hook(kind, { command: 'pwd > "$MM_CONFIG_DIR/where"', wasm: logGuest })],
    }),
  );
  const ranFor = async (tool: string) => (await agent.hooks.run(call(tool))).runs.map(({ hook }) => hook);

  it("runs for every tool call where it has no matcher", async () => {
    for (const tool of ["bash", "write_file", "mcp__server__tool"]) {
      expect(await ranFor(tool)).toContain("preToolCall[0]");
    }
  });

  it("with a matcher, a regular expression, runs for the tools whose name it finds", async () => {
    for (const tool of ["read_file", "web.search"]) expect(await ranFor(tool)).toContain("preToolCall[1]");
    for (const tool of ["unread_file", "searches", "READ_file"]) {
      expect(await ranFor(tool)).not.toContain("preToolCall[1]");
    }
  });

  it("runs in the working directory of the event, whatever the agent's own is", async () => {
    const directory = await folder();
    const { runs } = await agent.hooks.run({ ...QUESTION, cwd: directory });
    const told =
      kind === "command"
        ? (await readFile(join(agent.hooks.config.directory, "where"), "utf8")).trim()
        : (JSON.parse(runs[0]?.logs?.[0]?.message ?? "") as { cwd: string }).cwd;
    expect(told).toBe(directory);
  });

  it("is named relative to the directory of the YAML file, as $MM_CONFIG_DIR has it", async () => {
    const said = JSON.stringify({ context: "found" });
    const directory = await folder({
      "agent.yaml": `hooks:\n  preGeneration:\n    - ${
        kind === "command"
          ? 'command: cat "$MM_CONFIG_DIR/hooks/said.json"'
          : // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own spelling
            "wasm: ${MM_CONFIG_DIR}/hooks/said.wasm"
      }\n`,
      "hooks/said.json": said,
      "hooks/said.wasm": await component(constGuest(said)),
    });
    const { outcome } = await runEvent(join(directory, "agent.yaml"), QUESTION, { cwd: "/" });
    expect(outcome.context).toBe("found");
  });
});

describe("command: is run by sh -c", () => {
  it("which is what $0 says", async () => {
    const agent = await mmAgent({ preGeneration: [{ command: `printf '{"context":"%s"}' "$0"` }] });
    expect((await outcomeOf(agent, QUESTION)).context).toBe("sh");
  });

  it("so a Python script works", async ({ skip }) => {
    skip(!onPath("python3"), "python3 is not on the PATH");
    const agent = await mmAgent(
      { preToolCall: [{ command: 'python3 "$MM_CONFIG_DIR/hooks/guard.py"' }] },
      {
        files: {
          "hooks/guard.py": `import json, sys\nevent = json.load(sys.stdin)\nprint(json.dumps({"action": "deny", "reason": event["tool"]["name"]}))\n`,
        },
      },
    );
    expect(await outcomeOf(agent, call("bash"))).toMatchObject({
      decision: "deny",
      reason: "bash",
    });
  });

  it("so an executable script works", async () => {
    const agent = await mmAgent(
      { preToolCall: [{ command: '"$MM_CONFIG_DIR/hooks/guard.sh"' }] },
      { files: { "hooks/guard.sh": `#!/bin/sh\n${prints(JSON.stringify(DENIAL))}\n` } },
    );
    expect(await outcomeOf(agent, call("bash"))).toMatchObject({
      decision: "deny",
      reason: "guarded",
    });
  });

  it("so an inline jq pipeline works", async ({ skip }) => {
    skip(!onPath("jq"), "jq is not on the PATH");
    const agent = await mmAgent({
      preToolCall: [
        {
          command: `jq -c 'select(.tool.input.command | test("rm -rf")) | {action: "deny", reason: "no rm -rf"}' | cat`,
        },
      ],
    });
    const forbidden = await outcomeOf(agent, call("bash", { command: "rm -rf /" }));
    expect(forbidden).toMatchObject({ decision: "deny", reason: "no rm -rf" });
    expect((await outcomeOf(agent, call("bash"))).decision).toBe("none");
  });

  it("with the agent's own environment", async () => {
    const agent = await mmAgent({ preGeneration: [{ command: `printf '{"context":"%s"}' "$COLOUR"` }] });
    expect((await runEvent(agent, QUESTION, { env: { COLOUR: "teal" } })).outcome.context).toBe("teal");
  });
});

it("wasm: in place of command: is a hook without the user's rights: a module that asks for any is refused", async () => {
  const rights = ["wasi:sockets/tcp@0.2.0", "my:host/shell@1.0.0"];
  const asking = rights.map((right) =>
    componentFromWat(`(component (import "${right}" (instance)) ${handlerText()})`),
  );
  const agent = await mmAgent({ preToolCall: (await Promise.all(asking)).map((wasm) => ({ wasm })) });
  const { exitCode, stdout, stderr } = await wasmhook(["run", "--config", agent]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  for (const right of rights) expect(stderr).toContain(`imports ${right}`);
});

it("displayHooks: true is understood, and a line per hook run says its event, its command and what it decided", async () => {
  const long = "x".repeat(178);
  const agent = await mmAgent(
    {
      preToolCall: [
        { command: prints(JSON.stringify({ context: long })) },
        { command: "exit 3" },
        { wasm: await component(constGuest(JSON.stringify(DENIAL))) },
      ],
    },
    { rest: { displayHooks: true } },
  );
  const { exitCode, stdout, stderr } = await wasmhook(["run", "--config", agent], {
    stdin: JSON.stringify(call("bash")),
  });
  const lines = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/preToolCall\[0\] {2}command {2}printf %s .*… {2}context \(178 chars\) {2}\(/);
  expect(lines[1]).toMatch(/preToolCall\[1\] {2}command {2}exit 3 {2}failed {2}\(/);
  expect(lines[2]).toMatch(/preToolCall\[2\] {2}wasm {2}preToolCall-2\.wasm {2}deny {2}\(.* fuel, .* KiB\)/);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "guarded\n" });
});

describe("several hooks on one event", () => {
  it("run in the order written, and each one sees the rewrite of the one before it", async () => {
    const agent = await mmAgent({
      preToolCall: [
        { command: prints(JSON.stringify({ input: { step: 1 } })) },
        { wasm: await component(logGuest) },
        { wasm: await component(constGuest(JSON.stringify({ input: { step: 2 } }))) },
        { command: 'cat > "$MM_CONFIG_DIR/seen.json"' },
      ],
    });
    const outcome = await outcomeOf(agent, call("bash"));
    expect(outcome.runs.map(({ hook }) => hook)).toEqual([0, 1, 2, 3].map((n) => `preToolCall[${n}]`));
    const logged = outcome.runs[1]?.logs?.map(({ message }) => JSON.parse(message) as unknown);
    expect(logged).toEqual([call("bash", { step: 1 })]);
    const seen = await readFile(join(dirname(agent), "seen.json"), "utf8");
    expect(JSON.parse(seen)).toEqual(call("bash", { step: 2 }));
    expect(outcome.input).toEqual({ step: 2 });
  });

  it.each(KINDS)("end with the first deny or stop of a %s hook", async (kind) => {
    const after = { command: 'touch "$MM_CONFIG_DIR/ran"' };
    const agent = await mmAgent({
      preToolCall: [await says(kind, DENIAL), after],
      preGeneration: [await says(kind, { action: "stop", reason: "enough" }), after],
    });
    const hooks = await load(agent);
    const denied = await hooks.run(call("bash"));
    const stopped = await hooks.run(QUESTION);
    expect([denied.decision, stopped.decision]).toEqual(["deny", "stop"]);
    expect([denied.runs.length, stopped.runs.length]).toEqual([1, 1]);
    await expect(readFile(join(dirname(agent), "ran"))).rejects.toThrow("ENOENT");
  });
});

const looping = async () => ({ wasm: await component(loopGuest) });

it("of a wasm hook, limits: of the file are for all its hooks, those of a hook go before them, and timeout: is the wall-clock backstop", async () => {
  const agent = await mmAgent(
    {
      preGeneration: [
        { wasm: await component(constGuest("{}")) },
        { wasm: await component(constGuest("{}")), limits: { fuel: "1k" } },
        { ...(await looping()), limits: { fuel: "1k" } },
        { ...(await looping()), limits: { fuel: "1000000G" }, timeout: "200ms" },
      ],
    },
    { rest: { limits: { fuel: 10 } } },
  );
  const { runs } = await outcomeOf(agent, QUESTION);
  expect(runs.map(({ decided, error }) => error?.code ?? decided)).toEqual([
    "out-of-fuel",
    "nothing",
    "out-of-fuel",
    "deadline",
  ]);
});
