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
  sharedHooks,
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
  const broken = (kind: Kind, rest: object): Declared =>
    kind === "command" ? { command: "exit 9", ...rest } : { wasm: CONFIG_GUEST, config: "nonsense", ...rest };
  const agent = sharedHooks(async () =>
    mmAgent({
      preToolCall: [
        decides(first, { input: { step: 1 } }, { matcher: "rewrite" }),
        { wasm: await component(logGuest), matcher: "rewrite" },
        { command: 'cat > "$MM_CONFIG_DIR/seen.json"', matcher: "rewrite" },
        decides(second, { input: { step: 2 } }, { matcher: "rewrite" }),
        { wasm: await component(logGuest), matcher: "rewrite" },

        decides(first, { action: "deny", reason: "first" }, { matcher: "two denials" }),
        decides(second, { action: "deny", reason: "second" }, { matcher: "two denials" }),

        decides(first, { action: "allow", reason: "harmless", context: "one" }, { matcher: "allow" }),
        decides(second, { action: "ask", reason: "sure?", context: "two" }, { matcher: "ask" }),
        decides(first, { action: "allow", context: "three" }, { matcher: "allow" }),
        decides(second, { action: "deny", reason: "no" }, { matcher: "deny" }),

        broken(first, { matcher: "broken", onError: "ignore" }),
        broken(first, { matcher: "broken" }),
        decides(second, { action: "allow" }, { matcher: "broken" }),
        broken(second, { matcher: "broken guard", onError: "fail" }),
        decides(first, { context: "after" }, { matcher: "broken" }),
      ],
    }),
  );
  const callOf = (name: string) => agent.hooks.run({ ...CALL, tool: { name, input: {} } });

  it("the second sees what the first rewrote, and its own rewrite stands", async () => {
    const { input, runs } = await callOf("rewrite");
    const seen = [
      runs[1]?.logs?.[0]?.message ?? "",
      await readFile(join(agent.hooks.config.directory, "seen.json"), "utf8"),
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
    const { decision, reason, runs } = await callOf("two denials");
    expect([decision, reason, runs.length]).toEqual(["deny", "first", 1]);
  });

  it("an allow does not: ask beats allow, deny beats ask, and contexts are joined", async () => {
    const verdicts = ["allow", "allow, ask", "allow, ask, deny"].map(async (name) => {
      const { decision, reason, context } = await callOf(name);
      return { decision, reason, context };
    });
    expect(await Promise.all(verdicts)).toEqual([
      { decision: "allow", reason: "harmless", context: "one\nthree" },
      { decision: "ask", reason: "sure?", context: "one\ntwo\nthree" },
      { decision: "deny", reason: "no", context: "one\ntwo\nthree" },
    ]);
  });

  it("a failed hook folds by its onError, and is not lost by what comes after", async () => {
    const open = await callOf("broken");
    expect(open).toMatchObject({ decision: "allow", context: "after" });
    expect(open.runs.map(({ decided }) => decided)).toEqual([
      "failed",
      "failed",
      "allow",
      "context (5 chars)",
    ]);
    expect(open.notices.map(({ hook, kind }) => [hook, kind])).toEqual([[open.runs[1]?.hook, "warning"]]);
    const guarded = await callOf("broken guard");
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
  const agent = sharedHooks(async () => {
    const broken = kind === "command" ? { command: "exit 9" } : { wasm: await component(trapGuest) };
    return mmAgent({
      preToolCall: [
        decides(kind, everything, { may: ["context", "deny"], onError: "fail", matcher: "some" }),
        decides(kind, { action: "deny", reason: "no" }, { may: [], matcher: "nothing" }),
        { ...broken, may: ["context"], onError: "fail", matcher: "broken" },
      ],
    });
  });
  const callOf = (name: string) => agent.hooks.run({ ...CALL, tool: { name, input: {} } });

  it("is what its may: grants; the rest is dropped, told, and no failure", async () => {
    const { runs, notices, ...outcome } = await callOf("some");
    expect(outcome).toEqual({ decision: "none", context: "c" });
    expect(runs).toMatchObject([{ decided: "context (1 chars)", dropped: ["allow", "input", "notice"] }]);
    expect(notices.map(({ kind, text }) => [kind, /may not decide "(\w+)"/.exec(text)?.[1]])).toEqual([
      ["warning", "allow"],
      ["warning", "input"],
      ["warning", "notice"],
    ]);
  });

  it("is nothing at all with an empty may:", async () => {
    const { decision, reason, runs } = await callOf("nothing");
    expect({ decision, reason }).toEqual({ decision: "none", reason: undefined });
    expect(runs).toMatchObject([{ decided: "nothing", dropped: ["deny"] }]);
  });

  it("does not keep a hook that fails from refusing by its onError: fail", async () => {
    expect((await callOf("broken")).decision).toBe("deny");
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
