import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HookEvent } from "#src/index";
import { folder, runEvent, wasmhook, wasmhookOnTerminal } from "../support/cli.js";
import { constGuest, logGuest, trapGuest } from "../support/guests.js";
import { component, type Declared, mmAgent, prints } from "./hooks.js";
import { onPath } from "./tools.js";

const cwd = tmpdir();
const CALL: HookEvent = { event: "preToolCall", cwd, tool: { name: "bash", input: { command: "ls" } } };
const QUESTION: HookEvent = { event: "preGeneration", cwd, prompt: "Why?" };

const json = (said: object): Declared => ({ command: prints(JSON.stringify(said)) });
const module = async (said: object): Promise<Declared> => ({
  wasm: await component(constGuest(JSON.stringify(said))),
});

/** What `run --json` promises, and not a field more. */
const run = {
  hook: z.string(),
  label: z.string(),
  event: z.enum(["preGeneration", "preToolCall", "postToolCall", "postGeneration"]),
  decided: z.string(),
  durationMs: z.number().positive(),
  logs: z.array(z.strictObject({ level: z.string(), message: z.string() })).optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  dropped: z.array(z.string()).optional(),
};
const figures = { fuel: z.int().positive(), peakMemoryBytes: z.int().positive() };
const OUTCOME = z.strictObject({
  decision: z.enum(["none", "allow", "ask", "deny", "stop"]),
  reason: z.string().optional(),
  response: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  prompt: z.string().optional(),
  context: z.string().optional(),
  notices: z.array(z.strictObject({ hook: z.string(), kind: z.enum(["info", "warning"]), text: z.string() })),
  runs: z.array(
    z.discriminatedUnion("runner", [
      z.strictObject({ ...run, runner: z.literal("command") }),
      z.strictObject({ ...run, runner: z.literal("wasm"), ...figures }),
    ]),
  ),
});

const OUTCOMES: [what: string, event: HookEvent, hooks: Declared[], exitCode: number, outcome: object][] = [
  ["no hook at all", CALL, [], 0, { decision: "none" }],
  ["no opinion", CALL, [json({}), await module({})], 0, { decision: "none" }],
  [
    "allow",
    CALL,
    [json({ action: "allow", reason: "harmless" })],
    0,
    { decision: "allow", reason: "harmless" },
  ],
  ["ask", CALL, [json({ action: "ask", reason: "sure?" })], 0, { decision: "ask", reason: "sure?" }],
  ["deny", CALL, [await module({ action: "deny", reason: "no" })], 2, { decision: "deny", reason: "no" }],
  [
    "stop",
    QUESTION,
    [json({ action: "stop", reason: "no", response: "Not that." })],
    2,
    { decision: "stop", reason: "no", response: "Not that." },
  ],
  ["a rewritten input", CALL, [json({ input: { command: "ls -a" } })], 0, { input: { command: "ls -a" } }],
  ["a rewritten prompt", QUESTION, [json({ prompt: "How?" })], 0, { prompt: "How?" }],
  ["contexts", QUESTION, [json({ context: "a" }), json({ context: "b" })], 0, { context: "a\nb" }],
  ["notices", CALL, [json({ notice: "psst" })], 0, { notices: [{ kind: "info", text: "psst" }] }],
  [
    "a failed hook that warns",
    CALL,
    [{ command: "exit 2" }],
    0,
    { decision: "none", notices: [{ kind: "warning" }] },
  ],
  ["a failed hook that denies", CALL, [{ command: "exit 2", onError: "fail" }], 2, { decision: "deny" }],
  [
    "a failed module",
    CALL,
    [{ wasm: await component(trapGuest) }],
    0,
    { runs: [{ error: { code: "trap" } }] },
  ],
  [
    "a module that logs",
    CALL,
    [{ wasm: await component(logGuest) }],
    0,
    { runs: [{ logs: [{ level: "info" }] }] },
  ],
  [
    "a decision without a grant",
    CALL,
    [{ ...json({ action: "allow" }), may: ["deny"] }],
    0,
    { decision: "none", runs: [{ dropped: ["allow"] }] },
  ],
];

describe("run --json prints one JSON document of the promised shape, and exits 2 only to refuse:", () => {
  it.each(OUTCOMES)("%s", async (_what, event, hooks, exitCode, expected) => {
    const agent = await mmAgent({ [event.event]: hooks });
    const ended = await runEvent(agent, event);
    expect(ended.outcome).toMatchObject(expected);
    expect(OUTCOME.parse(JSON.parse(ended.stdout))).toEqual(ended.outcome);
    expect(ended.outcome.runs).toHaveLength(hooks.length);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).toBe(exitCode === 2 ? `${ended.outcome.reason}\n` : "");
  });
});

describe("run without --json", () => {
  it("prints readable lines: the verdict, what changed, what the user is told, and a line per run", async () => {
    const agent = await mmAgent({
      preToolCall: [
        json({ input: { command: "ls -a" }, notice: "psst", context: "hidden files too" }),
        { command: "exit 7" },
        await module({ action: "ask", reason: "sure?" }),
      ],
    });
    const { exitCode, stdout, stderr } = await wasmhook(["run", "--config", agent], {
      stdin: JSON.stringify(CALL),
    });
    expect(stdout.split("\n")).toEqual([
      "ask: sure?",
      'input: {"command":"ls -a"}',
      "context: hidden files too",
      "notice: psst",
      'warning: hook "exit 7" failed: the command exited with 7 and said nothing on stderr',
      expect.stringMatching(
        /^ {2}preToolCall\[0\] {2}command {2}.* {2}input, context \(16 chars\), notice {2}\([\d.]+ ms\)$/,
      ),
      expect.stringMatching(/^ {2}preToolCall\[1\] {2}command {2}exit 7 {2}failed {2}\([\d.]+ ms\)$/),
      expect.stringMatching(
        /^ {2}preToolCall\[2\] {2}wasm {2}.* {2}ask {2}\([\d.]+ ms, [\d,]+ fuel, [\d,]+ KiB\)$/,
      ),
      "",
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  it("prints nothing that hooks write to stderr", async () => {
    const agent = await mmAgent(
      { preToolCall: [{ command: '"$MM_CONFIG_DIR/noisy.sh"' }] },
      { files: { "noisy.sh": '#!/bin/sh\necho noise >&2\necho \'{"context":"a fact"}\'\n' } },
    );
    const { exitCode, stdout, stderr } = await wasmhook(["run", "--config", agent], {
      stdin: JSON.stringify(CALL),
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^none\ncontext: a fact\n {2}preToolCall\[0\] .*\n$/);
    expect(stdout).not.toContain("noise");
  });

  const RED = { action: "deny", reason: "\u001b[31mred\u001b[0m\u0007" };

  it("has no escape codes where stdout is no terminal, not even those of a hook", async () => {
    const agent = await mmAgent({ preToolCall: [json(RED)] });
    const { stdout, stderr } = await wasmhook(["run", "--config", agent], { stdin: JSON.stringify(CALL) });
    expect(stdout.split("\n")[0]).toBe("deny: \\u{1b}[31mred\\u{1b}[0m\\u{7}");
    expect(stdout + stderr).not.toContain("\u001b");
  });

  it("has colours on a terminal, and none there with NO_COLOR", async ({ skip }) => {
    skip(!onPath("python3"), "python3 is not on the PATH");
    const agent = await mmAgent({ preToolCall: [json(RED)] });
    const event = join(await folder({ "event.json": JSON.stringify(CALL) }), "event.json");
    const args = ["run", "--config", agent, "--event", event];
    const [colored, plain] = await Promise.all([
      wasmhookOnTerminal(args, { env: { TERM: "xterm-256color" } }),
      wasmhookOnTerminal(args, { env: { TERM: "xterm-256color", NO_COLOR: "1" } }),
    ]);
    expect(colored.stdout).toContain("\u001b[31mdeny\u001b[39m: \\u{1b}[31mred");
    expect(plain.stdout).toContain("deny: \\u{1b}[31mred");
    expect(plain.stdout).not.toContain("\u001b");
    expect([colored.exitCode, plain.exitCode]).toEqual([2, 2]);
  });
});

describe("check", () => {
  it("prints a line per hook, and exits 0 where all of them load", async () => {
    const agent = await mmAgent({ preToolCall: [{ command: "exit 1" }, await module({})] });
    const { exitCode, stdout, stderr } = await wasmhook(["check", "--config", agent]);
    expect(stdout.split("\n")).toEqual([
      "ok  preToolCall[0]  exit 1",
      expect.stringMatching(
        /^ok {2}preToolCall\[1\] {2}preToolCall-1\.wasm {2}[\d,]+ bytes {2}sha256:[0-9a-f]{64}$/,
      ),
      "",
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  it("with --json prints one document, of hooks and of problems, and exits 1 for a problem", async () => {
    const good = await mmAgent({ preToolCall: [await module({})] });
    const bad = await mmAgent({ preToolCall: [{ command: "true", tiemout: 3 }] });
    const [fine, broken] = await Promise.all(
      [good, bad].map((agent) => wasmhook(["check", "--config", agent, "--json"])),
    );
    expect(JSON.parse(fine?.stdout ?? "")).toMatchObject({
      file: good,
      hooks: [{ hook: "preToolCall[0]", runner: "wasm", sha256: expect.any(String) }],
      problems: [],
    });
    expect(JSON.parse(broken?.stdout ?? "")).toMatchObject({
      file: bad,
      hooks: [],
      problems: [{ code: "unknown-key", file: bad, line: 4, column: 7, hook: "preToolCall[0]" }],
    });
    expect([fine?.exitCode, broken?.exitCode]).toEqual([0, 1]);
  });
});

it("list --json prints one document, of hooks and of problems", async () => {
  const agent = await mmAgent({
    preToolCall: [{ matcher: "^bash$", ...(await module({})), onError: "fail", may: ["deny"] }],
  });
  const { exitCode, stdout } = await wasmhook(["list", "--config", agent, "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    file: agent,
    hooks: [
      {
        hook: "preToolCall[0]",
        event: "preToolCall",
        matcher: "^bash$",
        runner: "wasm",
        label: "preToolCall-0.wasm",
        onError: "fail",
        may: ["deny"],
      },
    ],
    problems: [],
  });
  expect(exitCode).toBe(0);
});

describe("the dialect", () => {
  const event = JSON.stringify({ cwd, hook_event_name: "PreToolUse", tool_name: "bash", tool_input: {} });
  const hooks = JSON.stringify({ PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] });

  it("is told by the file", async () => {
    const directory = await folder({ "hooks.json": hooks });
    const { exitCode } = await wasmhook(["run", "--config", join(directory, "hooks.json")], { stdin: event });
    expect(exitCode).toBe(2);
  });

  it("is what --dialect says, whatever the file's name", async () => {
    const directory = await folder({ "hooks.yaml": hooks });
    const args = ["run", "--config", join(directory, "hooks.yaml")];
    const [told, untold] = await Promise.all([
      wasmhook([...args, "--dialect", "mnemoai"], { stdin: event }),
      wasmhook(args, { stdin: event }),
    ]);
    expect(told.exitCode).toBe(2);
    expect([untold.exitCode, untold.stdout]).toEqual([1, ""]);
  });
});
