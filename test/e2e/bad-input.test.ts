import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, wasmhook } from "../support/cli.js";
import { worldComponent } from "../support/components.js";
import { constGuest } from "../support/guests.js";
import { component } from "./hooks.js";

const MIB = 1024 * 1024;
const EVENT = JSON.stringify({
  event: "preToolCall",
  cwd: tmpdir(),
  tool: { name: "bash", input: { command: "ls" } },
});

const FINE = await component(constGuest("{}"));
const MODULES = {
  "fine.wasm": FINE,
  "truncated.wasm": FINE.subarray(0, FINE.length - 100),
  "core.wasm": Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
  "other-world.wasm": await worldComponent(
    '(module (func (export "my:app/run@2.0.0#run")))',
    "package my:app@2.0.0; interface run { run: func(); } world app { export run; }",
    "app",
  ),
  "directory.wasm/file": "",
};

/** A hook in an agent's file, the code of what is wrong with it, and the sentence with the fix. */
const HOOKS: [what: string, hook: string, code: string, at: string, says: RegExp][] = [
  [
    "an unknown key in a hook",
    "mathcer: ^bash$\n      command: 'true'",
    "unknown-key",
    "3:7",
    /"mathcer" .* did you mean "matcher"\?/,
  ],
  [
    "two runners",
    "command: 'true'\n      wasm: fine.wasm",
    "two-runners",
    "4:7",
    /both "command" and "wasm": keep one/,
  ],
  ["no runner", "matcher: ^bash$", "no-runner", "3:7", /nothing to run: add "command" or "wasm"/],
  [
    "a bad regular expression",
    "matcher: '[a-'\n      command: 'true'",
    "bad-matcher",
    "3:16",
    /"\[a-" is no regular expression \(.*\): correct it/,
  ],
  [
    "a missing module",
    "wasm: missing.wasm",
    "wasm-missing",
    "3:7",
    /no file .*missing\.wasm: correct the path/,
  ],
  [
    "an unreadable module",
    "wasm: directory.wasm",
    "wasm-unreadable",
    "3:7",
    /it is a directory: name a file/,
  ],
  ["a truncated module", "wasm: truncated.wasm", "wasm-truncated", "3:7", /truncated\.wasm".*; /],
  [
    "a core module",
    "wasm: core.wasm",
    "core-module",
    "3:7",
    /This is a core WebAssembly module, but not a WASI command: it exports no _start; build a program/,
  ],
  [
    "a component of another world",
    "wasm: other-world.wasm",
    "not-a-hook",
    "3:7",
    /exports my:app\/run@2\.0\.0; build it/,
  ],
  [
    "a wrong sha256",
    `wasm: fine.wasm\n      sha256: ${"0".repeat(64)}`,
    "digest-mismatch",
    "4:15",
    /"fine\.wasm" has the SHA-256 [0-9a-f]{64} and not 0{64}: restore the file, or pin/,
  ],
];

/** What stands in an agent's file round the hooks. */
const FILES: [what: string, text: string, code: string, at: string, says: RegExp][] = [
  ...HOOKS.map<(typeof FILES)[number]>(([what, hook, ...rest]) => [
    what,
    `hooks:\n  preToolCall:\n    - ${hook}\n`,
    ...rest,
  ]),
  [
    "an unknown event",
    "hooks:\n  preToolCal:\n    - command: 'true'\n",
    "unknown-event",
    "2:3",
    /"preToolCal" .* did you mean "preToolCall"\?/,
  ],
  ["YAML that is none", "hooks: [\n", "yaml-syntax", "2:1", /not valid YAML/],
];

const EVENTS: [what: string, event: string | Uint8Array, code: string, says: RegExp][] = [
  [
    "is not JSON",
    '{"event": preToolCall}',
    "event-not-json",
    /not JSON at line 1, column 11: expected a value and not "preToolCall": correct it/,
  ],
  [
    "ends too early",
    `${EVENT.slice(0, -1)}\n`,
    "event-not-json",
    /not JSON at line 2, column 1: the JSON ends where/,
  ],
  ["is empty", "", "event-not-json", /is empty: give one JSON object/],
  ["is not UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d), "event-not-json", /not UTF-8 text: give/],
  ["is not an object", "[1]", "event-not-object", /not a JSON object: give one object/],
  [
    "has an unknown name",
    EVENT.replace("preToolCall", "preTool"),
    "event-unknown",
    /did you mean preToolCall\?/,
  ],
  ["misses its tool", '{"event":"preToolCall","cwd":"/"}', "event-without-tool", /has no tool: add "tool"/],
  ["has no cwd", EVENT.replace('"cwd"', '"cwp"'), "bad-event", /"cwd" is not an absolute path: add/],
  ["has 16 MiB", EVENT.padEnd(16 * MIB), "event-too-large", /has 16 MiB or more: give one of less/],
];

/** Every refusal: exit code 1, nothing on stdout, no stack trace on stderr. */
function expectRefusal(
  { exitCode, stdout, stderr }: { exitCode: number | null; stdout: string; stderr: string },
  code: string,
  says: RegExp,
): void {
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(says);
  expect(stderr).toContain(`[${code}]`);
  expect(stderr).not.toMatch(/^\s+at /m);
}

it("each kind of bad input has an error code of its own", () => {
  const codes = [...FILES.map(([, , code]) => code), ...EVENTS.slice(3).map(([, , code]) => code)];
  expect(new Set(codes).size).toBe(codes.length);
});

describe("an agent's file with", () => {
  it.each(FILES)("%s does not run", async (_what, text, code, at, says) => {
    const directory = await folder({ ...MODULES, "agent.yaml": text });
    const ended = await wasmhook(["run", "--config", "agent.yaml"], { cwd: directory, stdin: EVENT });
    expectRefusal(ended, code, says);
    const [problem, last] = ended.stderr.split("\n");
    expect(problem).toMatch(new RegExp(`^agent\\.yaml:${at}: .* \\[${code}\\]$`));
    expect(last).toMatch(
      /^wasmhook run: .*agent\.yaml was not loaded: mend its 1 problem\(s\) \[config-invalid\]$/,
    );
  });

  it("many problems has all of them told, by run and by check, in the order of the file", async () => {
    const text = `hooks:\n  preToolCall:\n${HOOKS.map(([, hook]) => `    - ${hook}\n`).join("")}`;
    const directory = await folder({ ...MODULES, "agent.yaml": text });
    const codes = HOOKS.map(([, , code]) => `[${code}]`);
    const [run, check] = await Promise.all([
      wasmhook(["run", "--config", "agent.yaml"], { cwd: directory, stdin: EVENT }),
      wasmhook(["check", "--config", "agent.yaml"], { cwd: directory, stdin: "" }),
    ]);
    expect(run.stderr.match(/\[[a-z0-9-]+\]$/gm)).toEqual([...codes, "[config-invalid]"]);
    expect(check.stderr.match(/\[[a-z0-9-]+\]$/gm)).toEqual(codes);
    expect([run.exitCode, run.stdout, check.exitCode, check.stdout]).toEqual([1, "", 1, ""]);
  });

  it("a problem is listed with it, and has no hooks", async () => {
    const [, text, code] = FILES[0] as (typeof FILES)[number];
    const directory = await folder({ "agent.yaml": text });
    const { exitCode, stdout } = await wasmhook(["list", "--config", "agent.yaml"], {
      cwd: directory,
      stdin: "",
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  0 hook(s), ");
    expect(stdout).toMatch(new RegExp(`^ {2}! agent\\.yaml:3:7: .* \\[${code}\\]$`, "m"));
  });

  it("a problem does not wait for an event that never comes", async () => {
    const [, text, code, , says] = FILES[0] as (typeof FILES)[number];
    const directory = await folder({ "agent.yaml": text });
    const ended = await wasmhook(["run", "--config", "agent.yaml"], { cwd: directory, stdin: undefined });
    expectRefusal(ended, code, says);
  });
});

it.each(FILES.filter(([, text]) => text.includes("wasm: ")))(
  "in a hooks.json %s costs only itself",
  async (_what, text, code) => {
    const wasm = /wasm: (\S+)/.exec(text)?.[1];
    const pin = /sha256: (\S+)/.exec(text)?.[1];
    const bad = { type: "wasm", wasm, sha256: pin, ...(text.includes("command") ? { command: "true" } : {}) };
    const hooks = { PreToolUse: [{ hooks: [bad, { type: "command", command: "exit 2" }] }] };
    const directory = await folder({ ...MODULES, "hooks.json": JSON.stringify({ hooks }, null, 1) });
    const event = { cwd: directory, hook_event_name: "PreToolUse", tool_name: "bash", tool_input: {} };
    const { exitCode, stderr } = await wasmhook(["run", "--config", "hooks.json"], {
      cwd: directory,
      stdin: JSON.stringify(event),
    });
    const [problem, reason] = stderr.split("\n");
    expect(problem).toMatch(new RegExp(`^hooks\\.json:\\d+:\\d+: .* \\[${code}\\]$`));
    expect({ exitCode, reason }).toEqual({ exitCode: 2, reason: "blocked by a hook" });
  },
);

describe("an event that", () => {
  const config = "hooks:\n  preToolCall:\n    - command: 'true'\n";

  it.each(EVENTS)("%s is refused", async (_what, event, code, says) => {
    const directory = await folder({ "agent.yaml": config });
    const ended = await wasmhook(["run", "--config", "agent.yaml"], { cwd: directory, stdin: event });
    expectRefusal(ended, code, says);
  });

  it("is bad is refused from a file and with --json as it is from stdin", async () => {
    const [, event, code, says] = EVENTS[0] as (typeof EVENTS)[number];
    const directory = await folder({ "agent.yaml": config, "event.json": event });
    const args = ["run", "--config", "agent.yaml", "--event", "event.json", "--json"];
    expectRefusal(await wasmhook(args, { cwd: directory, stdin: undefined }), code, says);
  });

  it.each<[string, object, string, RegExp]>([
    ["has an unknown name", { hook_event_name: "PreTool" }, "event-unknown", /did you mean PreToolUse\?/],
    ["misses its tool", { tool_name: undefined }, "event-without-tool", /has no tool: add "tool_name"/],
    ["has a tool of no name", { tool_name: 7 }, "bad-event", /"tool_name" is 7: give a string/],
    ["has a relative cwd", { cwd: "." }, "bad-event", /"cwd" is not an absolute path/],
  ])("%s is refused in mnemoai's own spelling", async (_what, change, code, says) => {
    const event = { cwd: "/", hook_event_name: "PreToolUse", tool_name: "bash", tool_input: {}, ...change };
    const directory = await folder({ "hooks.json": "{}" });
    const file = join(directory, "hooks.json");
    const ended = await wasmhook(["run", "--config", file], { stdin: JSON.stringify(event) });
    expectRefusal(ended, code, says);
  });

  it("has a byte less than 16 MiB is taken", async () => {
    const directory = await folder({ "agent.yaml": "hooks:\n" });
    const stdin = EVENT.padEnd(16 * MIB - 1);
    const { exitCode, stderr } = await wasmhook(["run", "--config", join(directory, "agent.yaml")], {
      stdin,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  it("cannot be read is refused with its path", async () => {
    const directory = await folder({ "agent.yaml": config });
    for (const file of ["no-such-event.json", "."]) {
      const ended = await wasmhook(["run", "--config", "agent.yaml", "--event", file], {
        cwd: directory,
        stdin: "",
      });
      expectRefusal(ended, "event-unreadable", new RegExp(`cannot read the event from ${file}: `));
    }
  });
});
