import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadHooks } from "#src/index";
import { folder, runEvent, wasmhook } from "../support/cli.js";
import { constGuest } from "../support/guests.js";
import { component, hooksJson, KINDS, load, outcomeOf, prints, says } from "./hooks.js";
import { callEvent, decoded } from "./mnemoai-events.js";

const BEFORE = decoded("PreToolUse", "fs_write", { path: "a" });
const AFTER = decoded("PostToolUse", "fs_write", { path: "a" }, "written");
const FAILED = decoded("PostToolUseFailure", "fs_write", { path: "a" }, "disk full");

describe.each(KINDS)("a %s hook", (kind) => {
  it("runs before the call, after it, or after it fails, by its event", async () => {
    const silent = await says(kind, "");
    const hooks = await load(
      await hooksJson({ PreToolUse: [silent], PostToolUse: [silent], PostToolUseFailure: [silent] }),
    );
    const ran = [];
    for (const event of [BEFORE, AFTER, FAILED]) {
      ran.push((await hooks.run(event)).runs.map(({ hook }) => hook));
    }
    expect(ran).toEqual([
      ["PreToolUse[0].hooks[0]"],
      ["PostToolUse[0].hooks[0]"],
      ["PostToolUseFailure[0].hooks[0]"],
    ]);
  });

  it("has a matcher: a glob over the whole name of the tool, case-sensitive, by default * for every tool", async () => {
    const silent = await says(kind, "");
    const matchers = ["fs_write", "git_*", "*", undefined, "?s_write", "[!f]*", "FS_WRITE", "write"];
    const hooks = await load(
      await hooksJson({
        PreToolUse: matchers.map((matcher) => (matcher === undefined ? silent : { ...silent, matcher })),
      }),
    );
    const matching = async (tool: string) =>
      (await hooks.run(decoded("PreToolUse", tool))).runs.map(
        ({ hook }) => matchers[Number(/\d+/.exec(hook)?.[0])] ?? "(none)",
      );
    expect(await matching("fs_write")).toEqual(["fs_write", "*", "(none)", "?s_write"]);
    expect(await matching("git_push")).toEqual(["git_*", "*", "(none)", "[!f]*"]);
    expect(await matching("git")).toEqual(["*", "(none)", "[!f]*"]);
  });
});

it("every hook whose matcher matches runs, in the order written, whatever its kind and group", async () => {
  const saying = (context: string) => ({
    type: "command",
    command: prints(JSON.stringify({ additionalContext: context })),
  });
  const directory = await folder({
    "two.wasm": await component(constGuest('{"context":"two"}')),
    "hooks.json": JSON.stringify({
      hooks: {
        PostToolUse: [
          { matcher: "fs_*", hooks: [saying("one"), { type: "wasm", wasm: "two.wasm" }] },
          { matcher: "git_*", hooks: [saying("never")] },
          { matcher: "*", hooks: [saying("three"), saying("four")] },
        ],
      },
    }),
  });
  const { context, runs } = await outcomeOf(join(directory, "hooks.json"), AFTER);
  expect(context).toBe("one\ntwo\nthree\nfour");
  expect(runs.map(({ hook }) => hook)).toEqual(
    ["[0].hooks[0]", "[0].hooks[1]", "[2].hooks[0]", "[2].hooks[1]"].map((at) => `PostToolUse${at}`),
  );
});

describe("the file", () => {
  const allow = { type: "command", command: prints('{"decision":"allow"}') };
  const groups = { PreToolUse: [{ matcher: "*", hooks: [allow] }] };

  it.each<[string, object]>([
    ["the hooks key round the events", { hooks: groups }],
    ["the events alone", groups],
    [
      "comments: keys that start with //",
      {
        "// why": "a comment",
        hooks: {
          "//": ["nothing"],
          PreToolUse: [{ "//matcher": 3, matcher: "*", hooks: [{ "// off": true, ...allow }] }],
        },
      },
    ],
  ])("may have %s", async (_what, contents) => {
    const directory = await folder({ "hooks.json": JSON.stringify(contents) });
    const { decision } = await outcomeOf(join(directory, "hooks.json"), BEFORE);
    expect(decision).toBe("allow");
  });

  it("is the only one that is read: a hooks.json in the project's directory is not", async () => {
    const planted = JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] },
    });
    const project = await folder({ "hooks.json": planted, ".mnemoai/hooks/hooks.json": planted });
    const file = join(await folder({ "hooks.json": JSON.stringify(groups) }), "hooks.json");
    const event = { ...callEvent("PreToolUse", "fs_write"), cwd: project };
    const { exitCode, outcome } = await runEvent(file, event, { cwd: project });
    expect({ exitCode, decision: outcome.decision }).toEqual({ exitCode: 0, decision: "allow" });
    expect(outcome.runs).toHaveLength(1);
  });

  const MALFORMED: [string, unknown, RegExp][] = [
    ["a hook of no type that there is", { hooks: [{ type: "http", command: "x" }] }, /"http" is not known/],
    ["a hook without its command", { hooks: [{ type: "command" }] }, /needs a "command": add/],
    ["a wasm hook without its module", { hooks: [{ type: "wasm", wasm: "no.wasm" }] }, /no file .*no\.wasm/],
    [
      "a hook with a key that nobody knows",
      { hooks: [{ ...allow, tiemout: 3 }] },
      /did you mean "timeout"\?/,
    ],
    ["a hook that is no object", { hooks: ["exit 2"] }, /a hook is an object and not a string/],
    ["a group without hooks", { matcher: "*" }, /has no list of hooks: add "hooks"/],
    ["a group that is no object", 4, /an entry is an object and not a number/],
  ];

  it.each(MALFORMED)("with %s is reported at startup, and costs nothing else", async (_what, bad, says) => {
    const contents = { hooks: { PreToolUse: [bad, { matcher: "fs_write", hooks: [allow] }] } };
    const directory = await folder({ "hooks.json": JSON.stringify(contents, null, 2) });
    await using hooks = await loadHooks(join(directory, "hooks.json"));
    expect(hooks.problems).toHaveLength(1);
    expect(hooks.problems[0]?.message).toMatch(says);
    expect(hooks.problems[0]?.line).toBeGreaterThan(3);
    expect((await hooks.run(BEFORE)).decision).toBe("allow");
  });

  it("with a malformed entry is told on stderr by run, which runs the rest", async () => {
    const contents = { hooks: { PreToolUse: [...MALFORMED.map(([, bad]) => bad), { hooks: [allow] }] } };
    const directory = await folder({ "hooks.json": JSON.stringify(contents) });
    const file = join(directory, "hooks.json");
    const { exitCode, outcome, stderr } = await runEvent(file, callEvent("PreToolUse", "fs_write"));
    expect(stderr.trimEnd().split("\n")).toEqual(
      MALFORMED.map(([, , says]) =>
        expect.stringMatching(new RegExp(`^.*hooks\\.json:1:\\d+: .*${says.source}`)),
      ),
    );
    expect(outcome.runs.map(({ hook }) => hook)).toEqual([`PreToolUse[${MALFORMED.length}].hooks[0]`]);
    expect({ exitCode, decision: outcome.decision }).toEqual({ exitCode: 0, decision: "allow" });
  });

  it("with an event that there is not costs no other event", async () => {
    const contents = { hooks: { preToolUse: groups.PreToolUse, ...groups } };
    const directory = await folder({ "hooks.json": JSON.stringify(contents) });
    await using hooks = await loadHooks(join(directory, "hooks.json"));
    expect(hooks.problems[0]?.message).toMatch(/"preToolUse" .*did you mean "PreToolUse"\?/);
    expect((await hooks.run(BEFORE)).decision).toBe("allow");
  });
});

describe("an entry with onError: fail that cannot load", () => {
  const guard = (event: string) => ({
    [event]: [{ matcher: "fs_*", hooks: [{ type: "wasm", wasm: "no.wasm", onError: "fail" }] }],
  });
  const broken = async (event: string) => {
    const directory = await folder({ "hooks.json": JSON.stringify(guard(event)) });
    return join(directory, "hooks.json");
  };
  const SAYS = /^hook "no\.wasm" failed: "no\.wasm": there is no file .*: correct the path/;

  it("denies every call that it is for, and says why", async () => {
    const file = await broken("PreToolUse");
    const { exitCode, outcome } = await runEvent(file, callEvent("PreToolUse", "fs_write"));
    expect(exitCode).toBe(2);
    expect(outcome).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(SAYS),
      runs: [{ runner: "wasm", label: "no.wasm", decided: "failed", error: { code: "config-invalid" } }],
    });
    expect((await runEvent(file, callEvent("PreToolUse", "git_push"))).outcome.decision).toBe("none");
  });

  it("tells the user after the call", async () => {
    await using hooks = await loadHooks(await broken("PostToolUse"));
    expect((await hooks.run(AFTER)).notices).toMatchObject([
      { kind: "warning", text: expect.stringMatching(SAYS) },
    ]);
  });

  it("is listed, and told once by check, which exits 1", async () => {
    const file = await broken("PreToolUse");
    const listed = await wasmhook(["list", "--config", file]);
    expect(listed.stdout).toMatch(/fs_\* +no\.wasm {2}\(cannot run\)\n(.*\n)* *! .*there is no file/);
    const checked = await wasmhook(["check", "--config", file]);
    expect(checked).toMatchObject({ exitCode: 1, stdout: "" });
    expect(checked.stderr.match(/there is no file/g)).toHaveLength(1);
    const json = await wasmhook(["check", "--json", "--config", file]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      hooks: [{ runner: "wasm", label: "no.wasm", error: { code: "config-invalid" } }],
      problems: [{ code: "wasm-missing" }],
    });
  });
});

describe("timeout is in seconds,", () => {
  it.each([
    ["30 by default", {}, "30s"],
    ["as written", { timeout: 10 }, "10s"],
    ["less than one if so written", { timeout: 0.5 }, "0.5s"],
    ["600 at most", { timeout: 6000 }, "600s"],
  ])("%s", async (_what, timeout, shown) => {
    const file = await hooksJson({ PreToolUse: [{ command: "true", ...timeout }] });
    const { stdout } = await wasmhook(["list", "--config", file]);
    expect(stdout).toContain(`  (${shown})\n`);
  });
});
