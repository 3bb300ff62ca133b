import { describe, expect, test } from "vitest";
import { DEFAULT_MODULE_LIMITS, MODULE_LIMITS, type ModuleLimit, mostOf } from "#src/hooks/module-limits";
import { CASES, withHandler } from "../sandbox/inspect/limit-cases.js";
import { hookComponent } from "../support/components.js";
import { constGuest } from "../support/guests.js";
import { load } from "./support.js";

const GUARD = await hookComponent(constGuest("{}"));

/** A config file of either dialect with one hook, whose limits of its module are these, and where its `wasm` stands. */
const DIALECTS: Record<
  string,
  { file: string; wasmAt: object; limitAt: object; text: (limits: object) => string }
> = {
  mm: {
    file: "agent.yaml",
    wasmAt: { line: 3, column: 7 },
    limitAt: { line: 4, column: 25 },
    text: (limits) =>
      `hooks:\n  preToolCall:\n    - wasm: hook.wasm\n      limits: {module: ${JSON.stringify(limits)}}\n`,
  },
  mnemoai: {
    file: "hooks.json",
    wasmAt: { line: 1, column: 45 },
    limitAt: { line: 2, column: 25 },
    text: (limits) =>
      `{"PreToolUse": [{"hooks": [{"type": "wasm", "wasm": "hook.wasm",\n  "limits": {"module": ${JSON.stringify(limits)}}}]}]}`,
  },
};
const dialects = Object.entries(DIALECTS);

describe.each(dialects)(
  "in a file of %s, under limits and module,",
  (_dialect, { file, text, wasmAt, limitAt }) => {
    const config = (limits: object, module: Uint8Array = GUARD) =>
      load(file, text(limits), { "hook.wasm": module });

    test.each(CASES)(
      "%s can be lowered to the very figure, and no further",
      async (limit, figure, fields) => {
        const module = await withHandler(fields);
        expect(await config({ [limit]: figure }, module)).toMatchObject({
          problems: [],
          hooks: [{ runner: { limits: { module: { [limit]: figure } } } }],
        });
        const { problems } = await config({ [limit]: figure - 1 }, module);
        expect(problems).toMatchObject([
          { ...wasmAt, code: limit === "nameBytes" ? "name-refused" : "module-refused" },
        ]);
        expect(problems[0]?.message).toMatch(
          new RegExp(`\\b${figure}\\b.*, over the limit of ${figure - 1}\\b`),
        );
        expect(problems[0]?.message).toContain(`or raise the limit ${limit} (limits: module)`);
      },
    );

    test("fileBytes and componentItems can", async () => {
      const size = GUARD.length;
      expect((await config({ fileBytes: size })).problems).toEqual([]);
      expect((await config({ fileBytes: size - 1 })).problems).toMatchObject([
        {
          ...wasmAt,
          code: "module-refused",
          message: expect.stringContaining(
            `it has ${size} bytes, over the limit of ${size - 1}: make it smaller, or raise the limit fileBytes`,
          ),
        },
      ]);
      expect((await config({ componentItems: 3 })).problems).toMatchObject([
        {
          ...wasmAt,
          message: expect.stringMatching(/4 items .*, over the limit of 3;.*raise the limit componentItems/),
        },
      ]);
    });

    test.each(MODULE_LIMITS)("%s can be set to all that it may be, and no higher", async (limit) => {
      const most = mostOf(limit);
      expect(await config({ [limit]: most })).toMatchObject({
        problems: [],
        hooks: [{ runner: { limits: { module: { [limit]: most } } } }],
      });
      const { problems } = await config({ [limit]: most + 1 });
      expect(problems).toMatchObject([{ code: "bad-value", line: (limitAt as { line: number }).line }]);
      expect(problems[0]?.message).toMatch(
        most === DEFAULT_MODULE_LIMITS[limit]
          ? /is out of range: give a value between 0 and \w+, its default, which protects the engine's compilers$/
          : /is out of range: give a value between 0 and \w+$/,
      );
      expect(problems[0]?.message).toContain(`"${limit}": "${most + 1}"`);
    });

    test("sizes have units, and counts none", async () => {
      expect(await config({ fileBytes: "64KiB", codeBytes: "0.5MiB" })).toMatchObject({
        problems: [],
        hooks: [{ runner: { limits: { module: { fileBytes: 65_536, codeBytes: 524_288 } } } }],
      });
      const messages: [ModuleLimit, unknown, string][] = [
        ["fileBytes", "1GiB", '"fileBytes": "1GiB" is out of range: give a value between 0 and 128MiB'],
        [
          "bodyBytes",
          "1MiB",
          '"bodyBytes": "1MiB" is out of range: give a value between 0 and 256KiB, its default, which protects the engine\'s compilers',
        ],
        ["functions", "5k", '"functions": "5k" is not a count: write a whole number such as 1000'],
        [
          "functions",
          1.5,
          '"functions": "1.5" is not a whole number of functions: write a whole number such as 1000',
        ],
        ["tables", -1, '"tables": "-1" is out of range: give a value between 0 and 64'],
        ["tables", true, '"tables" takes a number, with or without a unit, and not true: write one'],
      ];
      for (const [limit, value, message] of messages) {
        expect((await config({ [limit]: value })).problems).toMatchObject([
          { code: expect.stringMatching(/^bad-/), message },
        ]);
      }
    });

    test("a key that there is not is a problem at its place, with the one that was meant", async () => {
      expect((await config({ functons: 1 })).problems).toMatchObject([
        {
          ...limitAt,
          code: "unknown-key",
          message:
            'the key "functons" is not known here: did you mean "functions"? (known: one of 45, which the README lists)',
        },
      ]);
      expect((await config([1])).problems).toMatchObject([
        {
          code: "bad-type",
          message: '"module" takes a map and not a list: write keys such as functions: 5000',
        },
      ]);
    });
  },
);

describe("limits of modules", () => {
  const CONFIGS: [dialect: string, file: string, text: string][] = [
    [
      "mm",
      "agent.yaml",
      `limits: {fuel: 7, module: {exports: 100, tables: 1}}
hooks:
  preToolCall:
    - {wasm: hook.wasm, limits: {module: {exports: 200}}}
    - {wasm: hook.wasm, limits: {module:}}
    - {wasm: hook.wasm, timeout: 1}
`,
    ],
    [
      "mnemoai",
      "hooks.json",
      `{"limits": {"fuel": 7, "module": {"exports": 100, "tables": 1}}, "hooks": {"PreToolUse": [{"hooks": [
        {"type": "wasm", "wasm": "hook.wasm", "limits": {"module": {"exports": 200}}},
        {"type": "wasm", "wasm": "hook.wasm", "limits": {"module": null}},
        {"type": "wasm", "wasm": "hook.wasm", "timeout": 1}
      ]}]}}`,
    ],
  ];

  test.each(CONFIGS)(
    "of %s are each taken from the hook, then the file, then the caller",
    async (_dialect, file, text) => {
      const { hooks, problems } = await load(
        file,
        text,
        { "hook.wasm": GUARD },
        { limits: { module: { tables: 5, imports: 9 } } },
      );
      expect(problems).toEqual([]);
      const ofFile = { exports: 100, tables: 1, imports: 9 };
      expect(
        hooks.map(({ runner }) => runner.kind === "wasm" && [runner.limits.fuel, runner.limits.module]),
      ).toEqual([
        [7, { ...ofFile, exports: 200 }],
        [7, ofFile],
        [7, ofFile],
      ]);
    },
  );

  test("are each hook's own where two hooks name the same module", async () => {
    const text = `hooks:
  preToolCall:
    - {wasm: hook.wasm, limits: {module: {exports: 3}}}
    - {wasm: hook.wasm, limits: {module: {exports: 2}}}
    - {wasm: hook.wasm, limits: {module: {fileBytes: 9}}}
`;
    const { problems } = await load("agent.yaml", text, { "hook.wasm": GUARD });
    expect(problems).toMatchObject([
      { line: 4, message: expect.stringContaining("3 core exports") },
      { line: 5, message: expect.stringContaining(`${GUARD.length} bytes, over the limit of 9`) },
    ]);
  });

  test("let a file be read that is larger than others may be", async () => {
    const padding = 33 * 1024 * 1024;
    // A custom section named "a".
    const size = [0, 7, 14, 21, 28].map(
      (shift, i) => (((padding + 2) >>> shift) & 0x7f) | (i < 4 ? 0x80 : 0),
    );
    const large = Buffer.concat([GUARD, Uint8Array.of(0, ...size, 1, 0x61), Buffer.alloc(padding)]);
    const text = `hooks:
  preToolCall:
    - {wasm: hook.wasm}
    - {wasm: hook.wasm, limits: {module: {fileBytes: 34MiB}}}
`;
    const { problems } = await load("agent.yaml", text, { "hook.wasm": large });
    expect(problems).toMatchObject([{ line: 3, code: "module-refused" }]);
  });
});
