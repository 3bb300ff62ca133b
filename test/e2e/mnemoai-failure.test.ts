import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#src/index";
import { runEvent } from "../support/cli.js";
import { constGuest, errGuest, loopGuest, trapGuest } from "../support/guests.js";
import { component, type Declared, hook, hooksJson, KINDS, type Kind, load, prints } from "./hooks.js";
import { callEvent, decoded } from "./mnemoai-events.js";

const BEFORE = decoded("PreToolUse", "fs_write", { path: "a" });

/** Every way to fail that the document names, and what the user is told. */
type Failure = [way: string, hook: Declared, code: ErrorCode, says: RegExp];

const COMMANDS: Failure[] = [
  ...[1, 3, 126, 255].map<Failure>((code) => [
    `exits ${code}`,
    { command: `echo oops >&2; exit ${code}` },
    "command-failed",
    new RegExp(`exited with ${code}: oops`),
  ]),
  [
    "prints a deny, but exits 1",
    { command: `${prints('{"decision":"deny"}')}; exit 1` },
    "command-failed",
    /1/,
  ],
  ["crashes", { command: "kill -SEGV $$" }, "command-failed", /killed by SIGSEGV/],
  ["is missing", { command: "no-such-program-anywhere" }, "command-failed", /exited with 127: .*not found/],
  ["overruns its timeout", { command: "sleep 100", timeout: 0.2 }, "deadline", /within 200 ms/],
  [
    "prints what is no JSON",
    { command: prints('{"decision": deny}') },
    "bad-decision",
    /not one JSON object/,
  ],
  [
    "decides what nobody knows",
    { command: prints('{"decision":"block"}') },
    "bad-decision",
    /"decision" is "block": use deny or allow/,
  ],
];
const MODULES: Failure[] = [
  ["says that it failed", { wasm: await component(errGuest("oops")) }, "guest-error", /oops/],
  ["crashes", { wasm: await component(trapGuest) }, "trap", /unreachable/],
  [
    "overruns its timeout",
    { wasm: await component(loopGuest), timeout: 0.2, limits: { fuel: "1000000G" } },
    "deadline",
    /200 ms/,
  ],
  ["loops for ever", { wasm: await component(loopGuest) }, "out-of-fuel", /units of fuel/],
  [
    "answers in the words of a command",
    { wasm: await component(constGuest('{"decision":"deny"}')) },
    "bad-decision",
    /no field "decision"/,
  ],
];
const WAYS: Record<Kind, Failure[]> = { command: COMMANDS, wasm: MODULES };

describe.each(KINDS)("a %s hook that fails", (kind) => {
  it("never blocks: however it fails, it is reported and skipped, and the call proceeds", async () => {
    const file = await hooksJson({ PreToolUse: WAYS[kind].map(([, failing]) => failing) });
    const { exitCode, outcome, stderr } = await runEvent(file, callEvent("PreToolUse", "fs_write"));
    expect({ exitCode, stderr, decision: outcome.decision }).toEqual({
      exitCode: 0,
      stderr: "",
      decision: "none",
    });
    expect(outcome.runs.map(({ error }, index) => [WAYS[kind][index]?.[0], error?.code])).toEqual(
      WAYS[kind].map(([way, , code]) => [way, code]),
    );
    expect(outcome.notices).toEqual(
      WAYS[kind].map(([, , , says], index) => ({
        hook: `PreToolUse[${index}].hooks[0]`,
        kind: "warning",
        text: expect.stringMatching(says),
      })),
    );
  });

  it("does not keep a later hook from denying", async () => {
    const [, failing] = WAYS[kind][0] as Failure;
    const deny = await hook(kind, {
      command: "echo guarded >&2; exit 2",
      wasm: constGuest('{"action":"deny","reason":"guarded"}'),
    });
    const hooks = await load(await hooksJson({ PreToolUse: [failing, deny] }));
    expect(await hooks.run(BEFORE)).toMatchObject({ decision: "deny", reason: "guarded" });
  });
});

describe.each(KINDS)("%s hooks are read at startup:", (kind) => {
  const saying = (reason: string) =>
    hook(kind, {
      command: `echo ${reason} >&2; exit 2`,
      wasm: constGuest(JSON.stringify({ action: "deny", reason })),
    });

  it("an edit of the file does not change what runs", async () => {
    const file = await hooksJson({ PreToolUse: [await saying("approved")] });
    const hooks = await load(file);
    await writeFile(file, JSON.stringify({ hooks: {} }));
    expect((await hooks.run(BEFORE)).reason).toBe("approved");
    const reloaded = await load(file);
    expect((await reloaded.run(BEFORE)).decision).toBe("none");
  });

  it("what was approved is what fires until the end, the first event as well as a later one", async () => {
    const file = await hooksJson({ PreToolUse: [await saying("approved")] });
    const hooks = await load(file);
    const replaced = await hooksJson({ PreToolUse: [await saying("replaced")] });
    for (const name of kind === "wasm" ? ["hooks.json", "PreToolUse-0.wasm"] : ["hooks.json"]) {
      await writeFile(join(dirname(file), name), await readFile(join(dirname(replaced), name)));
    }
    expect((await hooks.run(BEFORE)).reason).toBe("approved");
    expect((await hooks.run(BEFORE)).reason).toBe("approved");
    const reloaded = await load(file);
    expect((await reloaded.run(BEFORE)).reason).toBe("replaced");
  });
});

it("hooks run for delegated work too, many calls at once, and none mixes them up", async () => {
  const command = 'IFS= read -r line; echo "$(pwd) $MNEMOAI_TOOL_NAME"';
  const hooks = await load(await hooksJson({ PreToolUse: [{ command }] }));
  const tools = Array.from({ length: 20 }, (_, index) => `tool${index}`);
  const outcomes = await Promise.all(
    tools.map((tool) => hooks.run({ ...decoded("PreToolUse", tool), cwd: "/" })),
  );
  expect(outcomes.map(({ notices }) => notices[0]?.text)).toEqual(tools.map((tool) => `/ ${tool}`));
});
