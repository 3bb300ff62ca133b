import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/index";
import { configGuest, constGuest, echoGuest, logGuest, trapGuest } from "../support/guests.js";
import {
  component,
  type Declared,
  hooksJson,
  KINDS,
  type Kind,
  load,
  mmAgent,
  outcomeOf,
  prints,
} from "./hooks.js";
import { decoded } from "./mnemoai-events.js";

const CALL: HookEvent = {
  event: "preToolCall",
  cwd: tmpdir(),
  tool: { name: "bash", input: { command: "ls" } },
};
const QUESTION: HookEvent = { event: "preGeneration", cwd: tmpdir(), prompt: "Why?" };

const CONFIG_GUEST = await component(configGuest);

/** A hook of the mm dialect that gives this decision; all modules are one, which says what its config holds. */
function decides(kind: Kind, decision: object, rest: object = {}): Declared {
  return kind === "command"
    ? { command: prints(JSON.stringify(decision)), ...rest }
    : { wasm: CONFIG_GUEST, config: decision, ...rest };
}

const PAIRS = [
  ["command", "wasm"],
  ["wasm", "command"],
  ["wasm", "wasm"],
] as const;

describe.each(PAIRS)("in a chain of a %s hook and a %s hook", (first, second) => {
  it("the second sees what the first rewrote, and its own rewrite stands", async () => {
    const agent = await mmAgent({
      preToolCall: [
        decides(first, { input: { step: 1 } }),
        { wasm: await component(logGuest) },
        { command: 'cat > "$MM_CONFIG_DIR/seen.json"' },
        decides(second, { input: { step: 2 } }),
        { wasm: await component(logGuest) },
      ],
    });
    const { input, runs } = await outcomeOf(agent, CALL);
    const seen = [
      runs[1]?.logs?.[0]?.message ?? "",
      await readFile(join(dirname(agent), "seen.json"), "utf8"),
      runs[4]?.logs?.[0]?.message ?? "",
    ];
    expect(seen.map((event) => (JSON.parse(event) as HookEvent).tool?.input)).toEqual([
      { step: 1 },
      { step: 1 },
      { step: 2 },
    ]);
    expect(input).toEqual({ step: 2 });
  });

  it("the first deny ends it", async () => {
    const agent = await mmAgent({
      preToolCall: [
        decides(first, { action: "deny", reason: "first" }),
        decides(second, { action: "deny", reason: "second" }),
      ],
    });
    const { decision, reason, runs } = await outcomeOf(agent, CALL);
    expect([decision, reason, runs.length]).toEqual(["deny", "first", 1]);
  });

  it("an allow does not: deny beats ask, ask beats allow, and contexts are joined", async () => {
    const agent = await mmAgent({
      preToolCall: [
        decides(first, { action: "allow", reason: "harmless", context: "one" }),
        decides(second, { action: "ask", reason: "sure?", context: "two" }, { matcher: "^(ask|deny)$" }),
        decides(first, { action: "allow", context: "three" }),
        decides(second, { action: "deny", reason: "no" }, { matcher: "^deny$" }),
      ],
    });
    const hooks = await load(agent);
    const verdicts = ["allow", "ask", "deny"].map(async (name) => {
      const { decision, reason, context } = await hooks.run({ ...CALL, tool: { name, input: {} } });
      return { decision, reason, context };
    });
    expect(await Promise.all(verdicts)).toEqual([
      { decision: "allow", reason: "harmless", context: "one\nthree" },
      { decision: "ask", reason: "sure?", context: "one\ntwo\nthree" },
      { decision: "deny", reason: "no", context: "one\ntwo\nthree" },
    ]);
  });

  it("a failed hook folds by its onError, and is not lost by what comes after", async () => {
    const broken = (kind: Kind, rest: object): Declared =>
      kind === "command"
        ? { command: "exit 9", ...rest }
        : { wasm: CONFIG_GUEST, config: "nonsense", ...rest };
    const agent = await mmAgent({
      preToolCall: [
        broken(first, { onError: "ignore" }),
        broken(first, {}),
        decides(second, { action: "allow" }),
        broken(second, { onError: "fail", matcher: "^guarded$" }),
        decides(first, { context: "after" }),
      ],
    });
    const hooks = await load(agent);
    const open = await hooks.run(CALL);
    expect(open).toMatchObject({ decision: "allow", context: "after" });
    expect(open.notices.map(({ hook, kind }) => [hook, kind])).toEqual([["preToolCall[1]", "warning"]]);
    const guarded = await hooks.run({ ...CALL, tool: { name: "guarded", input: {} } });
    expect(guarded.decision).toBe("deny");
    expect(guarded.reason).toMatch(/^hook .* failed: /);
    expect(guarded).not.toHaveProperty("context");
    expect(guarded.notices).toEqual(open.notices);
    expect(guarded.runs.map(({ decided }) => decided)).toEqual(["failed", "failed", "allow", "failed"]);
  });
});

it("a rewrite of a module is what a mnemoai command reads, which can rewrite nothing itself", async () => {
  const file = await hooksJson({
    PreToolUse: [
      { wasm: CONFIG_GUEST, config: { input: { path: "/safe/a", mode: "w" } } },
      { command: 'cat > stdin.json; echo \'{"decision":"allow"}\'' },
      { wasm: await component(logGuest) },
    ],
  });
  const cwd = dirname(file);
  const outcome = await outcomeOf(file, { ...decoded("PreToolUse", "fs_write", { path: "/etc/a" }), cwd });
  const input = { path: "/safe/a", mode: "w" };
  expect(outcome).toMatchObject({ decision: "allow", input, notices: [] });
  const seen = JSON.parse(await readFile(join(cwd, "stdin.json"), "utf8")) as { tool_input: object };
  expect(seen.tool_input).toEqual(input);
  expect(outcome.runs[2]?.logs?.[0]?.message).toContain('"input":{"path":"/safe/a","mode":"w"}');
});

describe.each(KINDS)("what a %s hook may decide", (kind) => {
  const everything = { action: "allow", reason: "trust me", input: {}, context: "c", notice: "n" };

  it("is what its may: grants; the rest is dropped, told, and no failure", async () => {
    const agent = await mmAgent({
      preToolCall: [decides(kind, everything, { may: ["context", "deny"], onError: "fail" })],
    });
    const { runs, notices, ...outcome } = await outcomeOf(agent, CALL);
    expect(outcome).toEqual({ decision: "none", context: "c" });
    expect(runs).toMatchObject([{ decided: "context (1 chars)", dropped: ["allow", "input", "notice"] }]);
    expect(notices.map(({ kind, text }) => [kind, /may not decide "(\w+)"/.exec(text)?.[1]])).toEqual([
      ["warning", "allow"],
      ["warning", "input"],
      ["warning", "notice"],
    ]);
  });

  it("is nothing at all with an empty may:", async () => {
    const agent = await mmAgent({
      preToolCall: [decides(kind, { action: "deny", reason: "no" }, { may: [] })],
    });
    const { decision, reason, runs } = await outcomeOf(agent, CALL);
    expect({ decision, reason }).toEqual({ decision: "none", reason: undefined });
    expect(runs).toMatchObject([{ decided: "nothing", dropped: ["deny"] }]);
  });

  it("does not keep a hook that fails from refusing by its onError: fail", async () => {
    const broken = kind === "command" ? { command: "exit 9" } : { wasm: await component(trapGuest) };
    const agent = await mmAgent({ preToolCall: [{ ...broken, may: ["context"], onError: "fail" }] });
    expect((await outcomeOf(agent, CALL)).decision).toBe("deny");
  });

  it("in a hooks.json is granted alike", async () => {
    const said = kind === "command" ? { decision: "allow" } : { action: "allow" };
    const hook =
      kind === "command"
        ? { command: prints(JSON.stringify(said)) }
        : { wasm: await component(constGuest(JSON.stringify(said))) };
    const file = await hooksJson({ PreToolUse: [{ ...hook, may: ["deny"] }] });
    const { decision, runs } = await outcomeOf(file, decoded("PreToolUse", "bash"));
    expect(decision).toBe("none");
    expect(runs).toMatchObject([{ dropped: ["allow"] }]);
  });
});

it("50 events at once through one chain each come to their own outcome", async () => {
  const agent = await mmAgent({
    preGeneration: [
      { command: `sed 's/.*"prompt":"\\([^"]*\\)".*/{"prompt":"\\1!"}/'` },
      { wasm: await component(echoGuest) },
      { wasm: await component(logGuest) },
    ],
  });
  const hooks = await load(agent);
  const prompts = Array.from({ length: 50 }, (_, index) => `question ${index}`);
  const outcomes = await Promise.all(prompts.map((prompt) => hooks.run({ ...QUESTION, prompt })));
  expect(outcomes.map(({ prompt }) => prompt)).toEqual(prompts.map((prompt) => `${prompt}!`));
  const logged = outcomes.map(({ runs }) => JSON.parse(runs[2]?.logs?.[0]?.message ?? "{}") as HookEvent);
  expect(logged.map(({ prompt }) => prompt)).toEqual(prompts.map((prompt) => `${prompt}!`));
});
