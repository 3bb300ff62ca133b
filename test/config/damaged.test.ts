import fc from "fast-check";
import { expect, test } from "vitest";
import { MODULE_CODES } from "#src/config/problem";
import { load } from "./support.js";

const MM = `model: m
x: &x {onError: fail, may: [deny, context]}
limits: {fuel: 10M, memory: 32MiB, deadline: 2s}
hooks:
  preToolCall:
    - <<: *x
      matcher: "^(bash|fs_.*)$"
      command: |
        guard "$1"
      timeout: 500ms
    - wasm: none.wasm
      config: {paths: ["/etc", 'a\\b'], n: 1.5}
      sha256: ${"ab".repeat(32)}
  postGeneration:
    - {command: log, onError: ignore}
displayHooks: true
`;
const MNEMOAI = `{
  "//": "note",
  "limits": {"fuel": "10M"},
  "hooks": {
    "PreToolUse": [
      {"matcher": "fs_[!x]*", "hooks": [{"type": "command", "command": "a \\"b\\"", "timeout": 10}]},
      {"hooks": [{"type": "wasm", "wasm": "none.wasm", "config": {"a": [1, null, true]}, "may": ["deny"]}]}
    ],
    "PostToolUseFailure": []
  }
}
`;
const SCRAPS = [
  "",
  " ",
  "\n",
  "\t",
  ":",
  ": ",
  "- ",
  "{",
  "}",
  "[",
  "]",
  ",",
  '"',
  "'",
  "#",
  "&x ",
  "*x",
  "*y",
  "<<: ",
  "!t ",
  "|\n",
  "? ",
  "---\n",
  "\\",
  "\0",
  "\ufeff",
  "\u2028",
  "𝄞",
  "\ud834",
  "null",
  "-1",
  "1e999",
  "hooks",
  "//",
  "__proto__",
];

const edit = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(12),
  scrap: fc.constantFrom(...SCRAPS),
});

function damage(text: string, edits: { place: number; removed: number; scrap: string }[]): string {
  return edits.reduce((before, { place, removed, scrap }) => {
    const at = Math.floor(place * before.length);
    return before.slice(0, at) + scrap + before.slice(at + removed);
  }, text);
}

test.each([
  ["agent.yaml", MM],
  ["hooks.json", MNEMOAI],
])(
  "whatever is done to %s, loading it tells what is wrong and where, and never throws",
  async (name, sound) => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const text = damage(sound, edits);
        const config = await load(name, text);
        const lines = Buffer.from(text).toString().split("\n");
        for (const { code, line, column, message } of config.problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[(line ?? 0) - 1]?.length ?? 0) + 1);
          if (!(MODULE_CODES as readonly string[]).includes(code)) expect(message).toMatch(/^\S.*: \S.*$/s);
          expect(message).not.toMatch(/\[object|undefined/);
        }
        if (config.dialect === "mm" && config.problems.length > 0) expect(config.hooks).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);
