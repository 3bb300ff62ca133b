import { describe, expect, test } from "vitest";
import { ALL_GRANTS } from "#src/hooks/may";
import { hookComponent } from "../support/components.js";
import { constGuest } from "../support/guests.js";
import { load, places } from "./support.js";

const GUARD = await hookComponent(constGuest("{}"));

/** Loads a `hooks.json` with a working `guard.wasm` beside it. */
function mnemoai(contents: unknown) {
  const text = typeof contents === "string" ? contents : JSON.stringify(contents);
  return load("hooks.json", text, { "guard.wasm": GUARD });
}

/** A file with these hooks in one group, each in a line of its own from line 2 on, column 1. */
function hooks(...entries: string[]) {
  return mnemoai(`{"PreToolUse": [{"matcher": "fs_*", "hooks": [\n${entries.join(",\n")}\n]}]}`);
}

const SOUND = '{"type": "command", "command": "sound"}';

describe("a hooks.json", () => {
  test("declares hooks under the hooks key", async () => {
    const { hooks, problems } = await mnemoai({
      hooks: {
        PreToolUse: [
          { matcher: "fs_write", hooks: [{ type: "command", command: 'fmt "$(jq -r .x)"', timeout: 10 }] },
        ],
      },
    });
    expect(problems).toEqual([]);
    expect(hooks).toEqual([
      {
        id: "PreToolUse[0].hooks[0]",
        moment: "preToolCall",
        matcher: { source: "fs_write", matches: expect.any(Function) },
        runner: { kind: "command", command: 'fmt "$(jq -r .x)"', timeoutMs: 10_000 },
        onError: "warn",
        may: ALL_GRANTS,
      },
    ]);
  });

  test("may have the events at its top", async () => {
    const { hooks, problems } = await mnemoai({
      PreToolUse: [{ hooks: [{ type: "command", command: "x" }] }],
    });
    expect(problems).toEqual([]);
    expect(hooks.map(({ id }) => id)).toEqual(["PreToolUse[0].hooks[0]"]);
  });

  test("has hooks for calls, calls that succeeded and calls that failed, in the order of the file", async () => {
    const group = (command: string) => [
      {
        hooks: [
          { type: "command", command },
          { type: "command", command },
        ],
      },
    ];
    const { hooks } = await mnemoai({
      PostToolUseFailure: group("a"),
      PreToolUse: [...group("b"), ...group("c")],
      PostToolUse: group("d"),
    });
    expect(hooks.map(({ id, moment, when }) => [id, moment, when])).toEqual([
      ["PostToolUseFailure[0].hooks[0]", "postToolCall", "failure"],
      ["PostToolUseFailure[0].hooks[1]", "postToolCall", "failure"],
      ["PreToolUse[0].hooks[0]", "preToolCall", undefined],
      ["PreToolUse[0].hooks[1]", "preToolCall", undefined],
      ["PreToolUse[1].hooks[0]", "preToolCall", undefined],
      ["PreToolUse[1].hooks[1]", "preToolCall", undefined],
      ["PostToolUse[0].hooks[0]", "postToolCall", "success"],
      ["PostToolUse[0].hooks[1]", "postToolCall", "success"],
    ]);
  });

  test("has keys that start with // ignored everywhere", async () => {
    const { hooks, problems } = await mnemoai(`{
      "//": "a", "//": "b", "// also": {"x": [1]},
      "hooks": {
        "//PreToolUse": "off", "//": 1,
        "PreToolUse": [{
          "//": "why", "//": "and more", "matcher": "*",
          "hooks": [{"//": "x", "type": "wasm", "wasm": "guard.wasm", "config": {"//": "y", "a": 1}, "limits": {"//": 1, "fuel": "2k"}}]
        }]
      }
    }`);
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([{ runner: { limits: { fuel: 2000 } } }]);
    expect(hooks[0]?.runner).toHaveProperty("config", { a: 1 });
  });

  test("without hooks is sound", async () => {
    for (const text of [
      "{}",
      '{"hooks": {}}',
      '{"hooks": {"PreToolUse": []}}',
      '{"PreToolUse": [{"hooks": []}]}',
    ]) {
      expect(await mnemoai(text)).toMatchObject({ hooks: [], problems: [] });
    }
  });

  test("that is not JSON, or no object, has one problem and no hooks", async () => {
    expect(places(await mnemoai(""))).toEqual(["1:1 json-syntax"]);
    expect(places(await mnemoai('{"PreToolUse": [\n  {"hooks": [],}\n]}'))).toEqual(["2:15 json-syntax"]);
    const list = await mnemoai(" []");
    expect(list.hooks).toEqual([]);
    expect(list.problems).toMatchObject([
      {
        code: "bad-type",
        line: 1,
        column: 2,
        message: 'the file holds a list and not an object: write {"hooks": {...}}',
      },
    ]);
  });

  test("with hooks that are no object has one problem and no hooks", async () => {
    expect(places(await mnemoai('{"hooks": []}'))).toEqual(["1:11 bad-type"]);
    expect(places(await mnemoai('{"hooks": null}'))).toEqual(["1:11 bad-type"]);
  });

  test("may set limits for all its wasm hooks, in both forms", async () => {
    const event = {
      PreToolUse: [
        {
          hooks: [
            { type: "wasm", wasm: "guard.wasm" },
            { type: "wasm", wasm: "guard.wasm", limits: { fuel: 7 } },
          ],
        },
      ],
    };
    for (const file of [
      { limits: { fuel: "5k" }, hooks: event },
      { limits: { fuel: 5000 }, ...event },
    ]) {
      const { hooks, problems } = await mnemoai(file);
      expect(problems).toEqual([]);
      expect(hooks).toMatchObject([
        { runner: { limits: { fuel: 5000 } } },
        { runner: { limits: { fuel: 7 } } },
      ]);
    }
  });

  test.each([
    '{"PreToolUse": [{"hooks": [{"command": "a"}]}],\n "PreToolUse": [{"hooks": [{"command": "b"}]}]}',
    '{"hooks": {"PreToolUse": [{"hooks": [{"command": "a"}]}]},\n "hooks": {"PreToolUse": [{"hooks": [{"command": "b"}]}]}}',
    '{"hooks": {"PreToolUse": [{"hooks": [{"command": "a"}]}],\n "PreToolUse": [{"hooks": [{"command": "b"}]}]}}',
  ])("with an event twice has the hooks of both, and says so: %s", async (text) => {
    const { hooks, problems } = await mnemoai(text);
    expect(hooks).toMatchObject([
      { id: "PreToolUse[0].hooks[0]", runner: { command: "a" } },
      { id: "PreToolUse[1].hooks[0]", runner: { command: "b" } },
    ]);
    expect(problems).toMatchObject([{ code: "duplicate-key", line: 2, column: 2 }]);
  });

  test("with a list of hooks twice has those of both, and an event that is no list takes none away", async () => {
    const { hooks, problems } = await mnemoai(
      `{"PreToolUse": [{"hooks": [{"command": "a"}],\n "hooks": [{"command": "b"}]}],\n"PreToolUse": null}`,
    );
    expect(hooks.map(({ id }) => id)).toEqual(["PreToolUse[0].hooks[0]", "PreToolUse[0].hooks[1]"]);
    expect(places({ problems })).toEqual(["2:2 duplicate-key", "3:1 duplicate-key", "3:15 bad-type"]);
  });
});

describe("in a hooks.json, an entry with onError: fail that cannot load is a hook that fails:", () => {
  test.each<[entry: string, runner: object]>([
    [
      '{"type": "wasm", "wasm": "no.wasm", "onError": "fail"}',
      { declared: "wasm", label: "no.wasm", message: /^"no.wasm": there is no file / },
    ],
    [
      `{"type": "wasm", "wasm": "guard.wasm", "sha256": "${"0".repeat(64)}", "onError": "fail"}`,
      { declared: "wasm", label: "guard.wasm", message: /^"guard.wasm" has the SHA-256 / },
    ],
    [
      '{"type": "wasm", "wasm": "hooks.json", "onError": "fail"}',
      { declared: "wasm", label: "hooks.json", message: /^"hooks.json": / },
    ],
    [
      '{"type": "wasm", "wasm": "guard.wasm", "limits": {"fuel": "much"}, "onError": "fail"}',
      { declared: "wasm", label: "guard.wasm", message: /^"fuel": "much" is not a count/ },
    ],
    [
      '{"type": "command", "onError": "fail"}',
      { declared: "command", label: "PreToolUse[0].hooks[1]", message: /needs a "command"/ },
    ],
    [
      '{"command": "x", "tiemout": 1, "onErr": 1, "onError": "fail"}',
      { declared: "command", label: "x", message: /^the key "tiemout" is not known.* \(and 1 more\)$/ },
    ],
    [
      '{"type": "http", "url": "x", "onError": "fail"}',
      { declared: "wasm", label: "PreToolUse[0].hooks[1]", message: /"url"/ },
    ],
    [
      '{"command": "x", "may": "deny", "onError": "fail"}',
      { declared: "command", label: "x", message: /^"may" takes a list/ },
    ],
  ])("%s", async (entry, { message, ...runner }: { message?: RegExp }) => {
    const config = await hooks(SOUND, entry, SOUND);
    expect(config.problems.length).toBeGreaterThan(0);
    expect(config.hooks.map(({ runner: { kind } }) => kind)).toEqual(["command", "broken", "command"]);
    expect(config.hooks[1]).toMatchObject({
      id: "PreToolUse[0].hooks[1]",
      moment: "preToolCall",
      matcher: { source: "fs_*" },
      onError: "fail",
      runner: {
        ...runner,
        failure: { code: "config-invalid", message: expect.stringMatching(message ?? /^$/) },
      },
    });
  });

  test("so are those of a group with an unknown key beside its matcher", async () => {
    const guard = '{"command": "x", "onError": "fail"}';
    const group = (keys: string) => mnemoai(`{"PreToolUse": [{${keys}, "hooks": [${guard}, ${SOUND}]}]}`);
    expect((await group('"matcher": "fs_*", "name": "n"')).hooks).toMatchObject([
      { matcher: { source: "fs_*" }, runner: { kind: "broken", label: "x" } },
    ]);
    for (const keys of ['"mather": "fs_*"', '"matcher": 5', '"name": "n"']) {
      expect(await group(keys)).toMatchObject({ hooks: [], problems: [{ hook: "PreToolUse[0]" }] });
    }
  });

  test("and not one whose onError is another, or cannot be read", async () => {
    for (const onError of ["warn", "ignore", "fial"]) {
      expect((await hooks(`{"type": "wasm", "wasm": "no.wasm", "onError": "${onError}"}`)).hooks).toEqual([]);
    }
  });
});

describe("in a hooks.json, a malformed part is reported and skipped and costs nothing else:", () => {
  test.each([
    [
      '"Stop": []',
      "2:1 unknown-event",
      'the event "Stop" is not known here: use PreToolUse, PostToolUse, PostToolUseFailure, or remove it',
    ],
    [
      '"preToolUse": []',
      "2:1 unknown-event",
      'the event "preToolUse" is not known here: did you mean "PreToolUse"? (known: PreToolUse, PostToolUse, PostToolUseFailure)',
    ],
    [
      '"PostToolUse": {}',
      "2:16 bad-type",
      '"PostToolUse" takes a list and not a map: write [{"matcher": ..., "hooks": [...]}]',
    ],
    [
      '"PostToolUse": [3]',
      "2:17 bad-type PostToolUse[0]",
      'an entry is an object and not a number: write {"matcher": ..., "hooks": [...]}',
    ],
    [
      '"PostToolUse": [{"matcher": "x"}]',
      "2:17 no-runner PostToolUse[0]",
      'the entry has no list of hooks: add "hooks": [...]',
    ],
    [
      '"PostToolUse": [{"hooks": {}}]',
      "2:27 bad-type PostToolUse[0]",
      'the entry has a map for its hooks: add "hooks": [...]',
    ],
    [
      `"PostToolUse": [{"matcher": ["x"], "hooks": [${SOUND}]}]`,
      "2:29 bad-type PostToolUse[0]",
      '"matcher" takes a string and not a list: write a string',
    ],
    [
      `"PostToolUse": [{"matchr": "x", "hooks": [${SOUND}]}]`,
      "2:18 unknown-key PostToolUse[0]",
      'the key "matchr" is not known here: did you mean "matcher"? (known: matcher, hooks)',
    ],
  ])("%s", async (entry, place, message) => {
    for (const wrap of [(text: string) => text, (text: string) => `{"hooks": ${text}}`]) {
      const config = await mnemoai(wrap(`{"PreToolUse": [{"hooks": [${SOUND}]}],\n${entry}}`));
      expect(places(config)).toEqual([place]);
      expect(config.problems[0]?.message).toBe(message);
      expect(config.hooks.map(({ id }) => id)).toEqual(["PreToolUse[0].hooks[0]"]);
    }
  });

  test.each([
    ["3", "3:1 bad-type", 'a hook is an object and not a number: write {"type": "command", "command": ...}'],
    [
      '{"type": "prompt", "prompt": "x"}',
      "3:10 unknown-type,3:20 unknown-key",
      'the "type" value "prompt" is not known here: use command, wasm, or remove it',
    ],
    [
      '{"type": "http", "command": "x"}',
      "3:10 unknown-type",
      'the "type" value "http" is not known here: use command, wasm, or remove it',
    ],
    [
      '{"type": 1, "command": "x"}',
      "3:10 bad-type",
      '"type" takes a string and not a number: put it in quotes',
    ],
    ['{"type": "command"}', "3:1 no-runner", 'a hook of type "command" needs a "command": add "command"'],
    [
      '{"wasm": "guard.wasm"}',
      "3:1 no-runner",
      'a hook of type "command" needs a "command": set "type" to "wasm"',
    ],
    [
      '{"type": "wasm", "command": "x"}',
      "3:1 no-runner",
      'a hook of type "wasm" needs a "wasm": set "type" to "command"',
    ],
    [
      '{"type": "command", "command": "x", "wasm": "guard.wasm"}',
      "3:37 two-runners",
      'a hook of type "command" has no "wasm": remove it',
    ],
    ['{"command": ["x"]}', "3:13 bad-type", '"command" takes a string and not a list: write a string'],
    ['{"command": "  "}', "3:13 bad-value", '"command" is empty: write what it is to be, or remove the hook'],
    [
      '{"command": "x", "timout": 5}',
      "3:18 unknown-key",
      'the key "timout" is not known here: did you mean "timeout"? (known: type, command, wasm, timeout, onError, may, config, limits, sha256)',
    ],
    [
      '{"command": "x", "onError": "block"}',
      "3:29 bad-value",
      'the "onError" value "block" is not known here: use fail, warn, ignore, or remove it',
    ],
    [
      '{"command": "x", "config": {}}',
      "3:18 wasm-only-key",
      '"config" is for wasm hooks, and this is a command: remove it',
    ],
    [
      '{"type": "wasm", "wasm": "guard.wasm", "limits": {"fuel": "1 million"}}',
      "3:59 bad-value",
      '"fuel": "1 million" is not a count: write a count such as 500000, 500k, 100M or 1.5G',
    ],
    [
      '{"type": "wasm", "wasm": "guard.wasm", "timeout": 5, "limits": {"deadline": "1s"}}',
      "3:40 two-deadlines",
      '"timeout" and "deadline" under "limits" are the same here: keep one',
    ],
    [
      '{"type": "wasm", "wasm": "guard.wasm", "config": {"n": 12345678901234567890}}',
      "3:56 bad-value",
      '"12345678901234567890" is too big to be kept exactly: write it in quotes',
    ],
  ])("%s", async (entry, place, message) => {
    const config = await hooks(SOUND, entry, SOUND);
    expect(
      places(config)
        .map((text) => text.replace(" PreToolUse[0].hooks[1]", ""))
        .join(),
    ).toBe(place);
    expect(config.problems[0]?.message).toBe(message);
    expect(config.hooks.map(({ id }) => id)).toEqual(["PreToolUse[0].hooks[0]", "PreToolUse[0].hooks[2]"]);
  });

  test("keys beside hooks", async () => {
    const config = await mnemoai(
      `{"hooks": {"PreToolUse": [{"hooks": [${SOUND}]}]},\n"limit": {},\n"PostToolUse": []}`,
    );
    expect(config.hooks).toHaveLength(1);
    expect(config.problems).toMatchObject([
      {
        code: "unknown-key",
        line: 2,
        column: 1,
        message: 'the key "limit" is not known here: did you mean "limits"? (known: hooks, limits)',
      },
      {
        code: "unknown-key",
        line: 3,
        column: 1,
        message: 'PostToolUse stands beside "hooks": move it into that object',
      },
    ]);
  });

  test("all of them are listed, in the order of the file", async () => {
    const config = await hooks(
      '{"command": "x", "timout": 5, "may": ["deny", "alow"]}',
      "[]",
      '{"type": "wasm"}',
    );
    expect(places(config)).toEqual([
      "2:18 unknown-key PreToolUse[0].hooks[0]",
      "2:47 bad-value PreToolUse[0].hooks[0]",
      "3:1 bad-type PreToolUse[0].hooks[1]",
      "4:1 no-runner PreToolUse[0].hooks[2]",
    ]);
    expect(config.hooks).toEqual([]);
  });
});

describe("a matcher in a hooks.json", () => {
  test("is a glob over the whole name of the tool, upper and lower case apart", async () => {
    const matcher = (await hooks(SOUND)).hooks[0]?.matcher;
    expect(["fs_write", "fs_", "FS_write", "xfs_write"].map((name) => matcher?.matches(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("is * where there is none, or an empty one", async () => {
    for (const group of [{}, { matcher: "" }, { matcher: null }]) {
      const { hooks } = await mnemoai({ PreToolUse: [{ ...group, hooks: [{ command: "x" }] }] });
      expect(hooks[0]?.matcher.source).toBe("*");
      expect(hooks[0]?.matcher.matches("any")).toBe(true);
    }
  });
});

describe("the timeout of a hook in a hooks.json", () => {
  const timeouts = async (value: string) => {
    const config = await hooks(`{"command": "x", "timeout": ${value}}`);
    return {
      timeoutMs: config.hooks[0]?.runner.kind === "command" && config.hooks[0].runner.timeoutMs,
      places: places(config),
    };
  };

  test("is 30 seconds where none is set", async () => {
    expect((await hooks(SOUND)).hooks).toMatchObject([{ runner: { timeoutMs: 30_000 } }]);
    expect(await timeouts("null")).toEqual({ timeoutMs: 30_000, places: [] });
  });

  test.each([
    ["10", 10_000],
    ["0.5", 500],
    ["0.0001", 1],
    ["600", 600_000],
    ["1.2e1", 12_000],
    ['"15"', 15_000],
  ])("of %s is seconds", async (value, timeoutMs) => {
    expect(await timeouts(value)).toEqual({ timeoutMs, places: [] });
  });

  test.each(["600.001", "3600", "1e400"])("of %s is cut to 600 seconds", async (value) => {
    expect(await timeouts(value)).toEqual({ timeoutMs: 600_000, places: [] });
  });

  test.each(["0", "-5", '"10s"', '"soon"', "true", "[1]"])(
    "of %s is reported, and the hook still runs with the default",
    async (value) => {
      expect(await timeouts(value)).toEqual({
        timeoutMs: 30_000,
        places: ["2:29 bad-value PreToolUse[0].hooks[0]"],
      });
    },
  );

  test("is the deadline of a wasm hook, which has its own default", async () => {
    const { hooks: loaded } = await hooks(
      '{"type": "wasm", "wasm": "guard.wasm", "timeout": 700}',
      '{"type": "wasm", "wasm": "guard.wasm"}',
      '{"type": "wasm", "wasm": "guard.wasm", "timeout": 0}',
    );
    expect(loaded.map(({ runner }) => runner.kind === "wasm" && runner.limits.deadlineMs)).toEqual([
      600_000, 10_000, 10_000,
    ]);
  });
});

describe("a wasm hook in a hooks.json", () => {
  test("has all that a wasm hook of an mm file has", async () => {
    const { hooks: loaded, problems } = await hooks(
      '{"type": "wasm", "wasm": "./guard.wasm", "config": {"a": [1, null]}, "limits": {"memory": "1MiB"}, "may": ["deny"], "onError": "fail"}',
    );
    expect(problems).toEqual([]);
    expect(loaded).toMatchObject([
      {
        runner: {
          kind: "wasm",
          wasm: "./guard.wasm",
          config: { a: [1, null] },
          limits: { memoryBytes: 1_048_576 },
        },
        onError: "fail",
        may: new Set(["deny"]),
      },
    ]);
  });

  test("is only one where its type says so, and a command may have a grant and onError too", async () => {
    const { hooks: loaded } = await hooks('{"command": "x", "onError": "ignore", "may": []}');
    expect(loaded).toMatchObject([{ runner: { kind: "command" }, onError: "ignore", may: new Set() }]);
  });
});
