import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { HookEvent } from "#src/index";
import { folder, runEvent, wasmhook } from "../support/cli.js";
import { constGuest } from "../support/guests.js";
import {
  component,
  type Declared,
  hook,
  hooksJson,
  KINDS,
  type Kind,
  load,
  outcomeOf,
  prints,
  sharedHooks,
} from "./hooks.js";
import { callEvent, decoded } from "./mnemoai-events.js";

const BEFORE = decoded("PreToolUse", "fs_write", { path: "a" });
const AFTER = decoded("PostToolUse", "fs_write", { path: "a" }, "written");
const FAILED = decoded("PostToolUseFailure", "fs_write", { path: "a" }, "disk full");
const REASON = "Writes under secrets/ are blocked locally.";
const NOTE = "This repo pins ruff 0.6 — use that, not the system one.";

const json = (value: object) => prints(JSON.stringify(value));
/** The same answer in the words of a command of this agent, and in those of a module. */
const DENY = {
  command: json({ decision: "deny", reason: REASON }),
  wasm: constGuest(JSON.stringify({ action: "deny", reason: REASON })),
};
const ALLOW = { command: json({ decision: "allow" }), wasm: constGuest('{"action":"allow"}') };
const CONTEXT = {
  command: json({ additionalContext: NOTE }),
  wasm: constGuest(JSON.stringify({ context: NOTE })),
};
const NOTHING = { command: "true", wasm: constGuest("") };

describe("a command", () => {
  it("that exits 0 lets the call proceed; its plain stdout is shown to the user, and never sent to the model", async () => {
    const file = await hooksJson({ PostToolUse: [{ command: "echo 2 files reformatted; echo noise >&2" }] });
    const event = callEvent("PostToolUse", "fs_write", {}, "written");
    const { exitCode, outcome, stderr } = await runEvent(file, event);
    const { runs, ...told } = outcome;
    expect(told).toEqual({
      decision: "none",
      notices: [{ hook: "PostToolUse[0].hooks[0]", kind: "info", text: "2 files reformatted" }],
    });
    expect(runs).toHaveLength(1);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  it("that exits 2 blocks the call, and its stderr is the reason for the model", async () => {
    const file = await hooksJson({ PreToolUse: [{ command: "echo not there >&2; echo hello; exit 2" }] });
    const { exitCode, outcome, stderr } = await runEvent(file, callEvent("PreToolUse", "fs_write"));
    expect(outcome).toMatchObject({ decision: "deny", reason: "not there" });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "not there\n" });
  });

  it("that only reads its variables can decide without a word of JSON", async () => {
    const command = '[[ $MNEMOAI_TOOL_NAME != fs_write ]] || { echo "no $MNEMOAI_TOOL_NAME" >&2; exit 2; }';
    const hooks = await load(await hooksJson({ PreToolUse: [{ command }] }));
    expect(await hooks.run(BEFORE)).toMatchObject({ decision: "deny", reason: "no fs_write" });
    expect((await hooks.run(decoded("PreToolUse", "fs_read"))).decision).toBe("none");
  });
});

describe.each(KINDS)("a %s hook", (kind) => {
  const file = sharedHooks(async () => {
    const note = await hook(kind, CONTEXT);
    return hooksJson({
      PreToolUse: [
        { matcher: "nothing", ...(await hook(kind, NOTHING)) },
        { matcher: "deny", ...(await hook(kind, DENY)) },
        { matcher: "allow", ...(await hook(kind, ALLOW)) },
        { matcher: "context", ...note },
      ],
      PostToolUse: [note],
      PostToolUseFailure: [note],
    });
  });

  it.each<[statement: string, event: HookEvent, outcome: object]>([
    ["without an answer lets the call proceed", decoded("PreToolUse", "nothing"), {}],
    ["denies with a reason, in JSON", decoded("PreToolUse", "deny"), { decision: "deny", reason: REASON }],
    ["allows, in JSON", decoded("PreToolUse", "allow"), { decision: "allow" }],
    ["adds context for the model before the call", decoded("PreToolUse", "context"), { context: NOTE }],
    ["adds context for the model after the call", AFTER, { context: NOTE }],
    ["adds context for the model after a call that failed", FAILED, { context: NOTE }],
  ])("%s", async (_statement, event, expected) => {
    const { runs, ...outcome } = await file.hooks.run(event);
    expect(outcome).toEqual({ decision: "none", notices: [], ...expected });
    expect(runs).toMatchObject([{ runner: kind }]);
  });
});

describe("when several hooks match one call", () => {
  const file = sharedHooks(async () => {
    const pick = async (matcher: string, kind: Kind, ways: { command: string; wasm: string }) => ({
      matcher,
      ...(await hook(kind, ways)),
    });
    return hooksJson({
      PreToolUse: [
        await pick("deny_command", "command", DENY),
        await pick("deny_wasm", "wasm", DENY),
        { matcher: "deny_*", command: "touch ran" },
        await pick("deny_*", "wasm", ALLOW),
        await pick("command_then_*", "command", ALLOW),
        await pick("wasm_then_*", "wasm", ALLOW),
        await pick("*_then_command", "command", DENY),
        await pick("*_then_wasm", "wasm", DENY),
      ],
      PostToolUse: [
        await pick("*", "command", CONTEXT),
        await pick("*", "wasm", { command: "", wasm: constGuest('{"context":"two"}') }),
        { command: json({ additionalContext: "three" }) },
      ],
    });
  });

  it("their contexts are concatenated, in order", async () => {
    expect((await file.hooks.run(AFTER)).context).toBe(`${NOTE}\ntwo\nthree`);
  });

  it.each(KINDS)("the first deny, of a %s hook, stops the rest", async (kind) => {
    const cwd = await folder();
    const event = { ...decoded("PreToolUse", `deny_${kind}`), cwd };
    const { decision, runs } = await file.hooks.run(event);
    expect({ decision, runs: runs.length }).toEqual({ decision: "deny", runs: 1 });
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each([
    ["command", "wasm"],
    ["wasm", "command"],
    ["wasm", "wasm"],
  ] as const)(
    "an allow of a %s hook never short-circuits: a later deny of a %s hook still wins",
    async (first, second) => {
      const { decision, runs } = await file.hooks.run(decoded("PreToolUse", `${first}_then_${second}`));
      expect(decision).toBe("deny");
      expect(runs.map(({ runner, decided }) => [runner, decided])).toEqual([
        [first, "allow"],
        [second, "deny"],
      ]);
    },
  );

  it("the answer does not depend on their order", async () => {
    const ways = [DENY, ALLOW, NOTHING].map((way) => hook("command", way));
    const [deny, allow, nothing] = (await Promise.all(ways)) as [Declared, Declared, Declared];
    const orders = [
      [deny, allow, nothing],
      [deny, nothing, allow],
      [allow, deny, nothing],
      [allow, nothing, deny],
      [nothing, deny, allow],
      [nothing, allow, deny],
    ];
    for (const order of orders) {
      const { decision, reason } = await outcomeOf(await hooksJson({ PreToolUse: order }), BEFORE);
      expect({ decision, reason }).toEqual({
        decision: "deny",
        reason: REASON,
      });
    }
  });
});

it("when a hook does something, the user sees which hook it was that blocked, approved or added context", async () => {
  const file = await hooksJson({
    PreToolUse: [
      { command: json({ decision: "allow" }) },
      { wasm: await component(CONTEXT.wasm) },
      { command: "echo blocked >&2; exit 2" },
    ],
  });
  const { stdout } = await wasmhook(["run", "--config", file], {
    stdin: JSON.stringify(callEvent("PreToolUse", "fs_write")),
  });
  const [first, ...rest] = stdout.trimEnd().split("\n");
  expect(first).toBe("deny: blocked");
  expect(rest.filter((line) => line.startsWith("  "))).toEqual([
    expect.stringMatching(/PreToolUse\[0\]\.hooks\[0\] {2}command {2}printf %s .* {2}allow {2}\(/),
    expect.stringMatching(
      /PreToolUse\[1\]\.hooks\[0\] {2}wasm {2}PreToolUse-1\.wasm {2}context \(55 chars\) {2}\(/,
    ),
    expect.stringMatching(/PreToolUse\[2\]\.hooks\[0\] {2}command {2}echo blocked .* {2}deny {2}\(/),
  ]);
});
