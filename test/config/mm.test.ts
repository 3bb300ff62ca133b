import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { ALL_GRANTS } from "#src/hooks/may";
import { hookComponent } from "../support/components.js";
import { constGuest } from "../support/guests.js";
import { load, places } from "./support.js";

const GUARD = await hookComponent(constGuest("{}"));
const files = { "guard.wasm": GUARD };

/** Loads an `mm` file with a working `guard.wasm` beside it. */
function mm(text: string) {
  return load("agent.yaml", text, files);
}

/** One hook of preToolCall with these lines, the first of which stands in line 3, column 7. */
function hook(...lines: string[]) {
  return mm(`hooks:\n  preToolCall:\n    - ${lines.join("\n      ")}\n`);
}

describe("an mm file", () => {
  test("declares a hook as the guide shows it", async () => {
    const { hooks, problems } = await mm(`model: some-model
hooks:
  preToolCall:
    - matcher: ^bash$
      command: node "$MM_CONFIG_DIR/hooks/guard.js"
      onError: fail
`);
    expect(problems).toEqual([]);
    expect(hooks).toEqual([
      {
        id: "preToolCall[0]",
        moment: "preToolCall",
        matcher: { source: "^bash$", matches: expect.any(Function) },
        runner: { kind: "command", command: 'node "$MM_CONFIG_DIR/hooks/guard.js"', timeoutMs: 30_000 },
        onError: "fail",
        may: ALL_GRANTS,
      },
    ]);
    expect(hooks[0]?.matcher.matches("bash")).toBe(true);
    expect(hooks[0]?.matcher.matches("bash2")).toBe(false);
  });

  test("declares hooks of all four events, in the order of the file", async () => {
    const { hooks } = await mm(`hooks:
  postGeneration:
    - command: a
  preToolCall:
    - command: b
    - wasm: guard.wasm
  postToolCall: [{command: c}]
  preGeneration:
    - command: d
`);
    expect(hooks.map(({ id, moment }) => [id, moment])).toEqual([
      ["postGeneration[0]", "postGeneration"],
      ["preToolCall[0]", "preToolCall"],
      ["preToolCall[1]", "preToolCall"],
      ["postToolCall[0]", "postToolCall"],
      ["preGeneration[0]", "preGeneration"],
    ]);
  });

  test("leaves all other keys to the agent", async () => {
    const text =
      "books: 1\nmodel: 2\nmay: 3\nprompt: |\n  hooks: 4\ntools: [{name: x, unknown: !env Y}]\nhooks: {}\n";
    expect(await mm(text)).toMatchObject({ hooks: [], problems: [] });
  });

  test("may leave hooks, an event or limits empty", async () => {
    for (const text of [
      "",
      "hooks:\n",
      "hooks: ~\n",
      "hooks: {}\n",
      "hooks:\n  preToolCall:\n",
      "hooks: {preToolCall: []}",
      "limits:\n",
    ]) {
      expect(await mm(text)).toMatchObject({ hooks: [], problems: [] });
    }
  });

  test("says whether hooks are displayed", async () => {
    expect(await mm("displayHooks: true")).toMatchObject({ displayHooks: true });
    expect(await mm("displayHooks: false")).toMatchObject({ displayHooks: false });
    expect(await mm("")).not.toHaveProperty("displayHooks");
    expect(places(await mm("displayHooks: yes"))).toEqual(["1:15 bad-type"]);
    expect(places(await mm("displayHooks:"))).toEqual(["1:1 bad-type"]);
  });

  test("with one problem has no hooks at all", async () => {
    const config = await mm(
      "hooks:\n  preToolCall:\n    - command: a\n    - command: b\n      onErorr: fail\n",
    );
    expect(config.hooks).toEqual([]);
    expect(places(config)).toEqual(["5:7 unknown-key preToolCall[1]"]);
  });

  test("has all its problems listed, in the order of the file", async () => {
    const config = await mm(`displayHooks: 1
hooks:
  preToolCall:
    - matcher: "["
      comand: x
      onError: maybe
      timeout: soon
    - just words
    - wasm: none.wasm
      sha256: abc
      may: [deny, alow]
      limits: {fuel: 0, memry: 1MiB}
  preToolcall:
    - command: x
limits:
  deadline: 5
`);
    expect(places(config)).toEqual([
      "1:15 bad-type",
      "4:7 no-runner preToolCall[0]",
      "4:16 bad-matcher preToolCall[0]",
      "5:7 unknown-key preToolCall[0]",
      "6:16 bad-value preToolCall[0]",
      "7:16 bad-value preToolCall[0]",
      "8:7 bad-type preToolCall[1]",
      "9:7 wasm-missing preToolCall[2]",
      "10:15 bad-value preToolCall[2]",
      "11:19 bad-value preToolCall[2]",
      "12:22 bad-value preToolCall[2]",
      "12:25 unknown-key preToolCall[2]",
      "13:3 unknown-event",
      "16:13 bad-value",
    ]);
  });

  test("may share parts of hooks by anchors and merge keys", async () => {
    const { hooks, problems } = await mm(`hooks:
  preToolCall:
    - &guard
      command: a
      onError: fail
    - <<: *guard
      command: b
  postToolCall:
    - *guard
`);
    expect(problems).toEqual([]);
    expect(
      hooks.map(({ runner, onError }) => [runner.kind === "command" && runner.command, onError]),
    ).toEqual([
      ["a", "fail"],
      ["b", "fail"],
      ["a", "fail"],
    ]);
  });
});

describe("in an mm file, what has the wrong form is a problem:", () => {
  test.each([
    ["hooks: 5", "1:8 bad-type", '"hooks" takes a map and not a number: write events such as preToolCall'],
    [
      "hooks:\n  - command: x",
      "2:3 bad-type",
      '"hooks" takes a map and not a list: write events such as preToolCall',
    ],
    [
      "hooks:\n  preToolCall:\n    command: x",
      "3:5 bad-type",
      '"preToolCall" takes a list and not a map: start each hook with "- "',
    ],
    [
      "hooks:\n  preToolCal: []",
      "2:3 unknown-event",
      'the event "preToolCal" is not known here: did you mean "preToolCall"? (known: preGeneration, preToolCall, postToolCall, postGeneration)',
    ],
    [
      "hooks:\n  PreToolUse: []",
      "2:3 unknown-event",
      'the event "PreToolUse" is not known here: use preGeneration, preToolCall, postToolCall, postGeneration, or remove it',
    ],
    [
      "hooks:\n  compaction: []",
      "2:3 unknown-event",
      'the event "compaction" is not known here: use preGeneration, preToolCall, postToolCall, postGeneration, or remove it',
    ],
    ["limits: 5M", "1:9 bad-type", '"limits" takes a map and not a string: write keys such as fuel: 100M'],
  ])("%j", async (text, place, message) => {
    const config = await mm(text);
    expect(places(config)).toEqual([place]);
    expect(config.problems[0]?.message).toBe(message);
  });
});

describe("a hook of an mm file", () => {
  test.each([
    [["- x"], "3:7 bad-type", "a hook is a map and not a list: write keys such as command: ..."],
    [["~"], "3:7 bad-type", "a hook is a map and not an empty value: write keys such as command: ..."],
    [["onError: fail"], "3:7 no-runner", 'the hook has nothing to run: add "command" or "wasm"'],
    [
      ["command: a", "wasm: guard.wasm"],
      "4:7 two-runners",
      'the hook has both "command" and "wasm": keep one',
    ],
    [["command:"], "3:7 bad-type", '"command" takes a string and not an empty value: write a string'],
    [["command: [a, b]"], "3:16 bad-type", '"command" takes a string and not a list: write a string'],
    [["command: 7"], "3:16 bad-type", '"command" takes a string and not a number: put it in quotes'],
    [["command: true"], "3:16 bad-type", '"command" takes a string and not true: put it in quotes'],
    [["command: ' '"], "3:16 bad-value", '"command" is empty: write what it is to be, or remove the hook'],
    [['command: "a\\0"'], "3:16 bad-value", '"command" holds a NUL character: remove it'],
    [
      ['command: "\\ud834"'],
      "3:16 bad-value",
      '"command" holds half of a surrogate pair: write the whole character',
    ],
    [["wasm: ''"], "3:13 bad-value", '"wasm" is empty: write what it is to be, or remove the hook'],
    [
      ["command: a", "matchr: b"],
      "4:7 unknown-key",
      'the key "matchr" is not known here: did you mean "matcher"? (known: matcher, command, wasm, onError, timeout, config, limits, may, sha256)',
    ],
    [
      ["command: a", "onError: deny"],
      "4:16 bad-value",
      'the "onError" value "deny" is not known here: use fail, warn, ignore, or remove it',
    ],
    [
      ["command: a", "onError: Warn"],
      "4:16 bad-value",
      'the "onError" value "Warn" is not known here: did you mean "warn"? (known: fail, warn, ignore)',
    ],
    [
      ["command: a", "may: deny"],
      "4:12 bad-type",
      '"may" takes a list and not a string: write one such as [deny, context]',
    ],
    [
      ["command: a", "may:"],
      "4:7 bad-type",
      '"may" takes a list and not an empty value: write one such as [deny, context]',
    ],
    [
      ["command: a", "may:", "  - deny", "  - 1"],
      "6:11 bad-type",
      '"may" takes a string and not a number: put it in quotes',
    ],
    [
      ["command: a", "may: [denny]"],
      "4:13 bad-value",
      'the "may" value "denny" is not known here: did you mean "deny"? (known: deny, ask, stop, context, prompt, input, allow, notice)',
    ],
    [
      ["command: a", "timeout: 0"],
      "4:16 bad-value",
      '"timeout": "0" is out of range: give a value between 1ms and 24h',
    ],
    [
      ["command: a", "timeout: [1]"],
      "4:16 bad-type",
      '"timeout" takes a number, with or without a unit, and not a list: write one',
    ],
    [
      ["command: a", "config: 1"],
      "4:7 wasm-only-key",
      '"config" is for wasm hooks, and this is a command: remove it',
    ],
    [
      ["command: a", "limits: {fuel: 1}"],
      "4:7 wasm-only-key",
      '"limits" is for wasm hooks, and this is a command: remove it',
    ],
    [
      ["command: a", "sha256: x"],
      "4:7 wasm-only-key",
      '"sha256" is for wasm hooks, and this is a command: remove it',
    ],
    [
      ["command: a", "matcher: 7"],
      "4:16 bad-type",
      '"matcher" takes a string and not a number: put it in quotes',
    ],
    [
      ["wasm: guard.wasm", "timeout: 5s", "limits:", "  deadline: 6s"],
      "4:7 two-deadlines",
      '"timeout" and "deadline" under "limits" are the same here: keep one',
    ],
    [
      ["wasm: guard.wasm", "limits: {deadline: 6}"],
      "4:26 bad-value",
      '"deadline": "6" is not a time: write a time with its unit, such as 500ms, 10s or 2m',
    ],
    [
      ["wasm: guard.wasm", "limits: {memory: true}"],
      "4:24 bad-type",
      '"memory" takes a number, with or without a unit, and not true: write one',
    ],
    [
      ["wasm: guard.wasm", "limits: 6"],
      "4:15 bad-type",
      '"limits" takes a map and not a number: write keys such as fuel: 100M',
    ],
    [
      ["wasm: guard.wasm", "config:", "  a: [1, .nan]"],
      "5:16 bad-value",
      '".nan" is no JSON number: write a finite number, or quote it',
    ],
  ])("is refused where it stands, with the fix: %j", async (lines, place, message) => {
    const config = await hook(...lines);
    expect(config.hooks).toEqual([]);
    expect(places(config)).toEqual([`${place} preToolCall[0]`]);
    expect(config.problems[0]?.message).toBe(message);
  });

  test("without a matcher is for every tool", async () => {
    const { hooks } = await hook("command: a");
    expect(hooks[0]?.matcher.matches("any")).toBe(true);
  });

  test("has a matcher on tool events only", async () => {
    const config = await mm(`hooks:
  preGeneration: [{command: a, matcher: b}]
  preToolCall: [{command: a, matcher: b}]
  postToolCall: [{command: a, matcher: b}]
  postGeneration: [{command: a, matcher: b}]
`);
    expect(places(config)).toEqual([
      "2:32 matcher-not-allowed preGeneration[0]",
      "5:33 matcher-not-allowed postGeneration[0]",
    ]);
    expect(config.problems[0]?.message).toBe(
      '"matcher" is for tool calls, and preGeneration is none: remove it',
    );
  });

  test("with a matcher that is no regular expression is told why", async () => {
    const { problems } = await hook("command: a", "matcher: '(bash'");
    expect(problems).toMatchObject([
      {
        code: "bad-matcher",
        line: 4,
        column: 16,
        message: '"(bash" is no regular expression (Unterminated group): correct it',
      },
    ]);
  });

  test("has a matcher of at most 1000 characters, which every engine can compile", async () => {
    expect((await hook("command: a", `matcher: ${"x".repeat(1000)}`)).problems).toEqual([]);
    const { problems } = await hook("command: a", `matcher: ${"x".repeat(1001)}`);
    expect(problems).toMatchObject([
      {
        code: "bad-matcher",
        line: 4,
        column: 16,
        message: "the matcher has 1001 characters: write at most 1000",
      },
    ]);
  });

  test.each([
    ["30", 30_000],
    ["1.5", 1500],
    ["'45'", 45_000],
    ["500ms", 500],
    ["10s", 10_000],
    ["2m", 120_000],
  ])("with a command has the timeout %s", async (timeout, timeoutMs) => {
    expect((await hook("command: a", `timeout: ${timeout}`)).hooks).toMatchObject([
      { runner: { timeoutMs } },
    ]);
  });

  test("has onError: warn by default, and each of the three where it says so", async () => {
    expect((await hook("command: a")).hooks).toMatchObject([{ onError: "warn" }]);
    for (const onError of ["fail", "warn", "ignore"]) {
      expect((await hook("command: a", `onError: ${onError}`)).hooks).toMatchObject([{ onError }]);
    }
  });

  test("may do all by default, and else what its list says, down to nothing", async () => {
    const may = async (...lines: string[]) => (await hook("command: a", ...lines)).hooks[0]?.may;
    expect(await may()).toEqual(ALL_GRANTS);
    expect(await may("may: [deny, context, deny]")).toEqual(new Set(["deny", "context"]));
    expect(await may("may: []")).toEqual(new Set());
  });

  test("keeps a command exactly as it is written", async () => {
    const { hooks } = await hook("command: |", "  if true; then", '    echo "$X"', "  fi");
    expect(hooks).toMatchObject([{ runner: { command: 'if true; then\n  echo "$X"\nfi\n' } }]);
  });
});

describe("a wasm hook of an mm file", () => {
  test("has a config of any JSON value, and null where there is none", async () => {
    const config = async (...lines: string[]) => (await hook("wasm: guard.wasm", ...lines)).hooks;
    expect(await config()).toMatchObject([{ runner: { config: null } }]);
    expect(await config("config:")).toMatchObject([{ runner: { config: null } }]);
    expect(await config("config: 'text'")).toMatchObject([{ runner: { config: "text" } }]);
    expect(await config("config:", "  paths: [a, 1, true, null]", "  //: kept")).toMatchObject([
      { runner: { config: { paths: ["a", 1, true, null], "//": "kept" } } },
    ]);
  });

  test("has the default limits where nobody sets others", async () => {
    expect((await hook("wasm: guard.wasm")).hooks).toMatchObject([{ runner: { limits: DEFAULT_LIMITS } }]);
  });

  test("takes limits from itself, then from the file, then from the caller, then by default", async () => {
    const text = `limits: {fuel: 2M, memory: 32MiB, logs: 1KiB}
hooks:
  preToolCall:
    - wasm: guard.wasm
      limits: {fuel: 3M, output: 2KiB}
    - wasm: guard.wasm
`;
    const { hooks } = await load("agent.yaml", text, files, {
      limits: { fuel: 1, logsBytes: 2, deadlineMs: 3 },
    });
    const ofFile = {
      fuel: 2_000_000,
      memoryBytes: 33_554_432,
      logsBytes: 1024,
      outputBytes: 1_048_576,
      deadlineMs: 3,
    };
    expect(hooks).toMatchObject([
      { runner: { limits: { ...ofFile, fuel: 3_000_000, outputBytes: 2048 } } },
      { runner: { limits: ofFile } },
    ]);
  });

  test("takes its timeout as its deadline", async () => {
    const deadline = async (...lines: string[]) => (await hook("wasm: guard.wasm", ...lines)).hooks;
    expect(await deadline("timeout: 3")).toMatchObject([{ runner: { limits: { deadlineMs: 3000 } } }]);
    expect(await deadline("limits: {deadline: 250ms}")).toMatchObject([
      { runner: { limits: { deadlineMs: 250 } } },
    ]);
  });

  test("lets its timeout go before the deadline of the file", async () => {
    const { hooks } = await mm(
      "limits: {deadline: 1s}\nhooks: {preToolCall: [{wasm: guard.wasm, timeout: 3}]}",
    );
    expect(hooks).toMatchObject([{ runner: { limits: { deadlineMs: 3000 } } }]);
  });
});
