import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mnemoai } from "#src/dialects/mnemoai";
import type { HookEvent } from "#src/index";
import { folder, runEvent, wasmhookOnTerminal } from "../support/cli.js";
import { logGuest } from "../support/guests.js";
import { component, type Declared, hooksJson, load, outcomeOf } from "./hooks.js";
import { callEvent, decoded, type EventName } from "./mnemoai-events.js";
import { onPath } from "./tools.js";

const EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
const INPUT = { path: "/Users/you/dev/project/app.py", content: "…" };
const EVERY: Record<EventName, ReturnType<typeof callEvent>> = {
  PreToolUse: callEvent("PreToolUse", "fs_write", INPUT),
  PostToolUse: callEvent("PostToolUse", "fs_write", INPUT, "written"),
  PostToolUseFailure: callEvent("PostToolUseFailure", "fs_write", INPUT, "disk full"),
};

const onEvery = (hook: Declared) => hooksJson(Object.fromEntries(EVENTS.map((name) => [name, [hook]])));

/** A command that keeps what it reads in a file of the directory that it runs in. */
const KEEP = { command: "cat > stdin.json" };

describe("a command", () => {
  it.each(EVENTS)("reads the call as JSON on stdin, on %s", async (name) => {
    const cwd = await folder();
    const event = { ...EVERY[name], cwd };
    await runEvent(await onEvery(KEEP), event);
    expect(JSON.parse(await readFile(join(cwd, "stdin.json"), "utf8"))).toEqual(event);
  });

  it("reads tool_response on the two post-call events only", async () => {
    const cwd = await folder();
    const event = { ...EVERY.PreToolUse, cwd, tool_response: "not yet" };
    await runEvent(await onEvery(KEEP), event);
    const seen = JSON.parse(await readFile(join(cwd, "stdin.json"), "utf8")) as object;
    expect(seen).toEqual({ ...EVERY.PreToolUse, cwd });
    expect(seen).not.toHaveProperty("tool_response");
  });

  it("reads long string values capped, and what was clipped is listed under _truncated", async () => {
    const cwd = await folder();
    const input = { path: "short", content: "x".repeat(3_000_000), edits: [{ text: "é".repeat(30_000) }] };
    await runEvent(await onEvery(KEEP), { ...callEvent("PreToolUse", "fs_write", input), cwd });
    const text = await readFile(join(cwd, "stdin.json"), "utf8");
    const { tool_input } = JSON.parse(text) as { tool_input: typeof input & { _truncated: string[] } };
    expect(tool_input.path).toBe("short");
    expect(tool_input._truncated).toEqual(["content", "edits.0.text"]);
    expect(input.content.startsWith(tool_input.content)).toBe(true);
    expect(text.length).toBeLessThan(50_000);
  });

  it("needs no JSON: MNEMOAI_HOOK_EVENT and MNEMOAI_TOOL_NAME are exported", async () => {
    const command = `printf '%s %s' "$MNEMOAI_HOOK_EVENT" "$MNEMOAI_TOOL_NAME"`;
    const hooks = await load(await onEvery({ command, matcher: "fs_*" }));
    const told = [];
    for (const name of EVENTS) {
      told.push((await hooks.run(decoded(name, "fs_write", {}, "done"))).notices[0]?.text);
    }
    expect(told).toEqual(EVENTS.map((name) => `${name} fs_write`));
  });

  it("runs under real bash: [[ … ]], arrays and source behave as written", async () => {
    const command = `source ./lib.sh && words=(one two three) && [[ \${words[2]} == t* ]] && greet "\${#words[@]}" "$BASH"`;
    const cwd = await folder({ "lib.sh": 'greet() { echo "hello $1 $(basename "$2")"; }\n' });
    const event = { ...decoded("PreToolUse", "fs_write"), cwd };
    const { notices, runs } = await outcomeOf(await onEvery({ command }), event);
    expect(runs[0]?.error).toBeUndefined();
    expect(notices[0]?.text).toBe("hello 3 bash");
  });

  it("runs in the working directory of the call", async () => {
    const cwd = await folder();
    const { outcome } = await runEvent(
      await onEvery({ command: "pwd" }),
      { ...EVERY.PreToolUse, cwd },
      { cwd: "/" },
    );
    expect(outcome.notices[0]?.text).toBe(cwd);
  });

  it("has no terminal that it could wait at, even if the agent has one", async ({ skip }) => {
    skip(!onPath("python3"), "python3 is not on the PATH");
    const file = await hooksJson({
      PreToolUse: [
        { command: '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo "no terminal"' },
        { command: "cat > /dev/null; read -r answer || echo stdin has an end" },
        { command: "read -r answer < /dev/tty && echo typed" },
      ],
    });
    const event = join(await folder({ "event.json": JSON.stringify(EVERY.PreToolUse) }), "event.json");
    const { stdout } = await wasmhookOnTerminal(["run", "--config", file, "--event", event]);
    expect(stdout).toContain("notice: no terminal");
    expect(stdout).toContain("notice: stdin has an end");
    expect(stdout).not.toContain("notice: typed");
    expect(stdout).toMatch(/warning: hook "read .*" failed: .*\/dev\/tty/);
  });
});

describe("a module", () => {
  it("gets the canonical event, whatever the dialect, on each event", async () => {
    const hooks = await load(await onEvery({ wasm: await component(logGuest) }));
    const tool = { name: "fs_write", input: INPUT };
    for (const [name, event, result] of [
      ["PreToolUse", "preToolCall", {}],
      ["PostToolUse", "postToolCall", { output: "written" }],
      ["PostToolUseFailure", "postToolCall", { error: "disk full" }],
    ] as const) {
      const { runs } = await hooks.run(mnemoai.decodeEvent(EVERY[name]));
      const { session_id, cwd } = EVERY[name];
      expect(JSON.parse(runs[0]?.logs?.[0]?.message ?? "")).toEqual({
        event,
        cwd,
        session: session_id,
        agent: "mnemoai",
        tool: { ...tool, ...result },
      });
    }
  });

  it("gets long string values whole", async () => {
    const content = "x".repeat(30_000);
    const event = decoded("PreToolUse", "fs_write", { content });
    const { runs } = await outcomeOf(await onEvery({ wasm: await component(logGuest) }), event);
    const seen = JSON.parse(runs[0]?.logs?.[0]?.message ?? "") as HookEvent;
    expect(seen.tool?.input).toEqual({ content });
  });
});
