import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type Declared, hook, KINDS, says, saysWhere } from "../e2e/hooks.js";
import { folder, program } from "../support/cli.js";
import { grepGuest } from "../support/guests.js";

const AGENT = fileURLToPath(new URL("../../examples/agent/dist/main.js", import.meta.url));
const DENIES = { action: "deny", reason: "force-push is not allowed in this project" };
const PUSH = { bash: { command: "echo git push --force" } };

interface Agent {
  hooks?: Record<string, Declared[]>;
  /** Other keys of the agent's YAML. */
  rest?: object;
  turns?: object[];
  delegated?: Record<string, object[]>;
}

/** Writes an agent's folder: its YAML, its modules and what its model says. */
async function agentFolder({ hooks = {}, rest = {}, turns = [], delegated = {} }: Agent): Promise<string> {
  const files: Record<string, string | Uint8Array> = {};
  const written = Object.entries(hooks).map(([event, list]) => [
    event,
    list.map((declared, i) => {
      if (!(declared.wasm instanceof Uint8Array)) return declared;
      files[`${event}-${i}.wasm`] = declared.wasm;
      return { ...declared, wasm: `${event}-${i}.wasm` };
    }),
  ]);
  const model = { url: "http://127.0.0.1:9/v1", name: "scripted" };
  return await folder({
    ...files,
    "agent.yaml": stringify({ model, ...rest, hooks: Object.fromEntries(written) }),
    "turns.yaml": stringify({ turns, delegated }),
  });
}

/** Types these lines, and returns what the agent printed. */
async function typed(agent: Agent, ...lines: string[]): Promise<{ screen: string; at: string }> {
  const at = await agentFolder(agent);
  const args = [AGENT, "agent.yaml", "--script", "turns.yaml"];
  const ended = await program(process.execPath, args, { cwd: at, stdin: `${lines.join("\n")}\n` });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  return { screen: ended.stdout, at };
}

describe.each(KINDS)("in line mode, an agent with a %s hook", (kind) => {
  it("ends its banner with the hooks it loaded", async () => {
    const { screen } = await typed({ hooks: { preToolCall: [await says(kind, {})] }, rest: { yolo: true } });
    expect(screen.split("\n")[0]).toMatch(/ \| yolo: on \| hooks: preToolCall×1$/);
  });

  it("shows a denied call, gives the model the reason, and the answer explains the refusal", async () => {
    const { screen } = await typed(
      {
        hooks: { preToolCall: [await saysWhere(kind, "push", DENIES)] },
        turns: [{ calls: [PUSH] }, { repeat: true }],
      },
      "force-push the main branch",
    );
    expect(screen).toContain(`🪝 bash [denied by a hook: ${DENIES.reason}]\n`);
    // The model of this test says what it read last: the reason, in place of the command's output.
    expect(screen).toContain(`\n${DENIES.reason}\n`);
  });

  it("never puts a denied call to the user, with yolo: false", async () => {
    const { screen } = await typed(
      { hooks: { preToolCall: [await says(kind, DENIES)] }, turns: [{ calls: [PUSH] }, { say: "No." }] },
      "push",
      "y",
    );
    expect(screen).not.toContain("Proceed?");
  });

  it("puts the question where the hook has no opinion, and the user may decline", async () => {
    const agent = {
      hooks: { preToolCall: [await says(kind, {})] },
      turns: [{ calls: [{ bash: { command: "touch made" } }] }, { repeat: true }],
    };
    const declined = await typed(agent, "touch it", "n");
    expect(declined.screen).toContain("bash: touch made\nProceed? [y/N] ");
    expect(declined.screen).toContain("the user declined this call");
    await expect(readFile(join(declined.at, "made"))).rejects.toMatchObject({ code: "ENOENT" });
    const agreed = await typed(agent, "touch it", "y");
    expect(await readFile(join(agreed.at, "made"), "utf8")).toBe("");
  });

  it("does not put the question where the hook allows the call", async () => {
    const { screen, at } = await typed(
      {
        hooks: { preToolCall: [await says(kind, { action: "allow" })] },
        turns: [{ calls: [{ bash: { command: "touch made" } }] }, { say: "Made." }],
      },
      "touch it",
    );
    expect(screen).not.toContain("Proceed?");
    expect(screen).toMatch(/🪝 .* approved bash\n/);
    expect(await readFile(join(at, "made"), "utf8")).toBe("");
  });

  it("cannot widen what the agent may do: an allow reaches neither the safety floor nor plan mode", async () => {
    const hooks = { preToolCall: [await says(kind, { action: "allow" })] };
    const floor = await typed(
      { hooks, turns: [{ calls: [{ bash: { command: "rm -rf /" } }] }, { repeat: true }] },
      "clean up",
    );
    expect(floor.screen).toContain("[refused]");
    expect(floor.screen).toContain("This is never run here");
    const plan = await typed(
      { hooks, turns: [{ calls: [{ bash: { command: "touch made" } }] }, { repeat: true }] },
      "/plan",
      "touch it",
    );
    expect(plan.screen).toContain("The agent only plans");
    await expect(readFile(join(plan.at, "made"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("runs what the hook rewrote, which is what the user is shown", async () => {
    const { screen, at } = await typed(
      {
        hooks: { preToolCall: [await says(kind, { input: { command: "touch rewritten" } })] },
        turns: [{ calls: [{ bash: { command: "touch made" } }] }, { say: "Made." }],
      },
      "touch it",
      "y",
    );
    expect(screen).toContain("bash: touch rewritten\nProceed?");
    expect(await readFile(join(at, "rewritten"), "utf8")).toBe("");
  });

  it("stops a question: the user reads the response, and the model is not called", async () => {
    const stop = { action: "stop", reason: "secrets", response: "Ask without the key." };
    const { screen } = await typed(
      {
        hooks: { preGeneration: [await saysWhere(kind, "AKIA", stop)] },
        turns: [{ say: "The model was called." }],
      },
      "what is AKIA123?",
      "hello",
    );
    const [, first, second] = screen.split("> ");
    expect(first).toContain("Ask without the key.");
    expect(first).not.toContain("The model was called.");
    expect(second).toContain("The model was called.");
  });

  it("adds the hook's context to the question and to the tool's output, under its heading", async () => {
    const hooks = {
      preGeneration: [await says(kind, { context: "On Fridays nothing is deployed." })],
      postToolCall: [await says(kind, { context: "Tell the team." })],
    };
    const question = await typed({ hooks, turns: [{ repeat: true }] }, "Deploy?");
    expect(question.screen).toContain(
      "Deploy?\n\n[context added by a hook]\nOn Fridays nothing is deployed.\n",
    );
    const output = await typed(
      {
        hooks,
        rest: { yolo: true },
        turns: [{ calls: [{ bash: { command: "echo pushed" } }] }, { repeat: true }],
      },
      "push",
    );
    expect(output.screen).toContain("pushed\n\n[context added by a hook]\nTell the team.\n");
  });

  it("fires for delegated work too, and for calls that are made at the same time", async () => {
    const { screen } = await typed(
      {
        hooks: { preToolCall: [{ ...(await saysWhere(kind, "push", DENIES)), matcher: "^bash$" }] },
        rest: { yolo: true },
        turns: [
          { calls: [{ delegate: { task: "push it" }, bash: { command: "echo first" } }, PUSH] },
          { say: "All done." },
        ],
        delegated: { "push it": [{ calls: [PUSH] }, { repeat: true }] },
      },
      "go",
    );
    expect(screen.split("🪝 bash [denied by a hook").length - 1).toBe(2);
    expect(screen).toContain("bash: echo first [ran]");
    expect(screen).toContain("All done.");
  });

  it("shows one line for each hook that ran after each answer, with displayHooks: true", async () => {
    const hooks = {
      preGeneration: [await says(kind, { context: "a".repeat(178) })],
      preToolCall: [await says(kind, DENIES), await says(kind, {})],
    };
    const turns = [{ calls: [PUSH] }, { say: "No." }];
    const { screen } = await typed({ hooks, turns, rest: { displayHooks: true } }, "push");
    const lines = screen
      .slice(screen.indexOf("\nNo.\n"))
      .split("\n")
      .filter((line) => line.startsWith("🪝"));
    expect(lines).toEqual([
      expect.stringMatching(/^🪝 preGeneration {2}.* {2}context \(178 chars\)$/),
      expect.stringMatching(/^🪝 preToolCall {2}.* {2}deny$/),
    ]);
    expect((await typed({ hooks, turns }, "push")).screen).not.toContain("context (178 chars)");
  });

  it("answers /hooks with what was read at startup, whatever its files hold by now", async () => {
    const at = await agentFolder({
      hooks: { preToolCall: [await saysWhere(kind, "push", DENIES)] },
      turns: [{ calls: [PUSH] }, { repeat: true }],
    });
    const agent = spawn(process.execPath, [AGENT, "agent.yaml", "--script", "turns.yaml"], { cwd: at });
    let screen = "";
    agent.stdout.setEncoding("utf8").on("data", (text: string) => {
      screen += text;
    });
    await expect.poll(() => screen, { timeout: 20_000 }).toContain("> ");
    const { rm, writeFile } = await import("node:fs/promises");
    await writeFile(join(at, "agent.yaml"), "hooks: {}\n");
    await rm(join(at, "preToolCall-0.wasm"), { force: true });
    agent.stdin.end("/hooks\npush\n");
    await new Promise((resolve) => agent.on("close", resolve));
    expect(screen).toContain("1 hook(s), read at startup — restart to apply an edit.");
    expect(screen).toContain(`denied by a hook: ${DENIES.reason}`);
  });
});

describe.each(KINDS)("in an editor (-acp), an agent with a %s hook", (kind) => {
  /** What a client of the protocol is told while it puts one question. */
  async function asked(agent: Agent, { permits = true } = {}) {
    const at = await agentFolder(agent);
    // In another directory than that of the session.
    const process_ = spawn(
      process.execPath,
      [AGENT, join(at, "agent.yaml"), "--script", join(at, "turns.yaml"), "-acp"],
      {
        cwd: "/",
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const updates: SessionUpdate[] = [];
    const questions: string[] = [];
    const app = client({ name: "test" })
      .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        questions.push(params.toolCall.title ?? "");
        return { outcome: { outcome: "selected", optionId: permits ? "yes" : "no" } };
      });
    const stream = ndJsonStream(
      Writable.toWeb(process_.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(process_.stdout) as ReadableStream<Uint8Array>,
    );
    await app.connectWith(stream, async (context) => {
      await context.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {},
      });
      const { sessionId } = await context.request(methods.agent.session.new, { cwd: at, mcpServers: [] });
      const prompt = [{ type: "text" as const, text: "push it" }];
      expect(await context.request(methods.agent.session.prompt, { sessionId, prompt })).toMatchObject({
        stopReason: "end_turn",
      });
    });
    process_.stdin.end();
    await new Promise((resolve) => process_.on("close", resolve));
    return { at, updates, questions };
  }

  it("shows a denied call as a failed tool call titled <tool>: <command> — denied by a hook", async () => {
    const { updates, questions } = await asked({
      hooks: { preToolCall: [await saysWhere(kind, "push", DENIES)] },
      turns: [{ calls: [PUSH] }, { say: "I may not." }],
    });
    expect(questions).toEqual([]);
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: "tool_call",
        title: "bash: echo git push --force — denied by a hook",
        status: "failed",
      }),
    );
  });

  it("shows each run of a hook as a tool call", async () => {
    const { updates } = await asked({
      hooks: { preGeneration: [await says(kind, { context: "careful" })] },
      turns: [{ say: "Hello." }],
    });
    expect(updates).toMatchObject([
      {
        sessionUpdate: "tool_call",
        title: expect.stringMatching(/^preGeneration hook: /),
        status: "completed",
        content: [{ content: { text: "context (7 chars)" } }],
      },
      { sessionUpdate: "agent_message_chunk", content: { text: "Hello." } },
    ]);
  });

  it("runs the hooks in the session's working directory", async () => {
    const where = await hook(kind, {
      command: `printf '{"action":"deny","reason":"%s"}' "$PWD"`,
      wasm: grepGuest('"cwd":"/tmp', JSON.stringify({ action: "deny", reason: "in /tmp" })),
    });
    const { at, updates } = await asked({
      hooks: { preToolCall: [where] },
      turns: [{ calls: [PUSH] }, { say: "No." }],
    });
    const reason = kind === "command" ? at : "in /tmp";
    expect(updates).toContainEqual(
      expect.objectContaining({
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: reason } }],
      }),
    );
  });

  it("asks the editor's user for a call that no hook decided", async () => {
    const { questions, updates } = await asked(
      { hooks: { preToolCall: [await says(kind, {})] }, turns: [{ calls: [PUSH] }, { say: "No." }] },
      { permits: false },
    );
    expect(questions).toEqual(["bash: echo git push --force"]);
    expect(updates).toContainEqual(
      expect.objectContaining({ title: "bash: echo git push --force", status: "failed" }),
    );
  });
});

/** The same on a terminal, by way of Python. */
async function onTerminal(agent: Agent, env: Record<string, string | undefined>): Promise<string> {
  const at = await agentFolder(agent);
  const script = `
import os, pty, sys
def read(fd):
    data = os.read(fd, 4096)
    global seen
    seen += data
    if seen.endswith(b"> ") or b"> \\x1b[3G" in data:
        os.write(fd, lines.pop(0) if lines else b"\\x04")
        seen = b""
    return data
seen, lines = b"", [b"push\\r"]
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))`;
  const args = ["-c", script, process.execPath, AGENT, "agent.yaml", "--script", "turns.yaml"];
  return (await program("python3", args, { cwd: at, env, stdin: "" })).stdout;
}

it("on a terminal what is beside the answers is dim, and has no colour with NO_COLOR", async () => {
  const agent = {
    hooks: { preToolCall: [await says("command", { action: "allow" })] },
    turns: [{ calls: [{ bash: { command: "true" } }] }, { say: "Done." }],
  };
  expect(await onTerminal(agent, { NO_COLOR: undefined })).toContain("\u001b[2mbash: true [ran]\u001b[22m");
  const plain = await onTerminal(agent, { NO_COLOR: "1" });
  expect(plain).toContain("bash: true [ran]");
  expect(plain).not.toContain("\u001b[2m");
});

it("an agent file that is wrong says what and where, and nothing runs", async () => {
  const at = await folder({ "agent.yaml": "model: { url: 5 }\n" });
  const { exitCode, stderr } = await program(process.execPath, [AGENT, "agent.yaml"], { cwd: at, stdin: "" });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("model.url")]);
  const hooks = await folder({ "agent.yaml": "hooks:\n  preToolCal: []\n" });
  const refused = await program(process.execPath, [AGENT, "agent.yaml"], { cwd: hooks, stdin: "" });
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("preToolCall")]);
});

it("the demo shows a denial, an allow that skips the question, a rewritten prompt, and context", async () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const lines = ["What changed?", "Force-push it.", "Is AKIAIOSFODNN7EXAMPLE valid?", "Write a file.", "n"];
  const args = [AGENT, "demos/hooks/agent.yaml", "--script", "demos/hooks/turns.yaml"];
  const { stdout } = await program(process.execPath, args, { cwd: root, stdin: `${lines.join("\n")}\n` });
  expect(stdout).toContain("🪝 bash [denied by a hook: force-push is not allowed in this project]");
  expect(stdout).toContain("🪝 build/guard.wasm approved bash");
  expect(stdout).toContain("Is [redacted AWS access key id] valid?");
  expect(stdout).toContain("  context (51 chars)");
  expect(stdout.match(/Proceed\?/g)).toHaveLength(1);
});
