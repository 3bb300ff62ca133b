import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "#src/config/json-tree";
import { ProblemList } from "#src/config/problem";
import { toJson } from "#src/config/tree";

function read(text: string, isComment?: (key: string) => boolean) {
  const problems = new ProblemList("f");
  const node = readJson(text, problems.reporter(), isComment);
  return { node, problems: problems.inOrder() };
}

function builtin(text: string): { value?: unknown } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return {};
  }
}

describe("JSON with places", () => {
  test("is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        const { node, problems } = read(text);
        expect(problems.filter(({ code }) => code !== "duplicate-key")).toEqual([]);
        expect(node && toJson(node, () => {})).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test("is refused exactly where JSON.parse refuses it", () => {
    const scraps = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".",
      "e",
      "+",
      "tru",
      "true",
      "null",
      "\\",
      "\\u00e9",
      " ",
      "\n",
      "\t",
      "'",
      "//",
      "\u2028",
      "\ufeff",
      "\u0001",
      "NaN",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...scraps), { maxLength: 9 }), (parts) => {
        const text = parts.join("");
        const { node } = read(text);
        const { value } = builtin(text);
        expect(node && { value: toJson(node, () => {}) }).toEqual(
          value === undefined ? undefined : { value },
        );
      }),
      { numRuns: 20_000 },
    );
  });

  test("knows where each key and value stands", () => {
    const { node } = read('{\n  "a": [1,\r\n\t"é𝄞x", {"b" : null}]}');
    const list = node?.kind === "map" ? node.entries.get("a") : undefined;
    expect(list?.keyAt).toEqual({ line: 2, column: 3 });
    expect(list?.value.at).toEqual({ line: 2, column: 8 });
    const items = list?.value.kind === "list" ? list.value.items : [];
    // The clef is two UTF-16 code units, as editors count.
    expect(items.map(({ at }) => at)).toEqual([
      { line: 2, column: 9 },
      { line: 3, column: 2 },
      { line: 3, column: 10 },
    ]);
    const inner = items[2]?.kind === "map" ? items[2].entries.get("b") : undefined;
    expect(inner?.keyAt).toEqual({ line: 3, column: 11 });
    expect(inner?.value.at).toEqual({ line: 3, column: 17 });
  });

  test.each([
    ["", 1, 1, "the JSON ends where a value is expected: complete it"],
    ['{"a": 1,\n}', 1, 8, "JSON allows no comma before }: remove it"],
    ["[1, 2, ]", 1, 6, "JSON allows no comma before ]: remove it"],
    ["[,1]", 1, 2, 'expected a value and not ",": correct it'],
    ['{\n  // note\n  "a": 1}', 2, 3, 'JSON has no comments: use a key that starts with "//"'],
    ['{"a": 1 /* x */}', 1, 9, 'JSON has no comments: use a key that starts with "//"'],
    ["{'a': 1}", 1, 2, 'expected a key in double quotes and not "\'": correct it'],
    ["{\"a\": 'b'}", 1, 7, "JSON has no single quotes: use double ones"],
    ['{"a" 1}', 1, 6, 'expected a ":" after "a" and not "1": correct it'],
    ['{"a": }', 1, 7, "a value is missing before }: add it"],
    ['{"a": yes}', 1, 7, 'expected a value and not "yes": correct it'],
    ['{"a": 1\n "b": 2}', 2, 2, 'expected "," or "}" and not "\\"": correct it'],
    [
      '["a\n"]',
      1,
      4,
      "a string holds a line break, tab or control character: write it as \\n, \\t or \\u00XX",
    ],
    ['["C:\\new\\dir"]', 1, 9, 'JSON has no such escape: write a backslash as "\\\\"'],
    ['["abc', 1, 2, 'this string has no end: close it with "'],
    ['{"a": 1', 1, 8, 'the JSON ends where "," or "}" is expected: complete it'],
    ["{} {}", 1, 4, "there is text after the end of the JSON: remove it"],
  ])("is refused with the place and the fix: %j", (text, line, column, message) => {
    expect(read(text)).toEqual({
      node: undefined,
      problems: [{ code: "json-syntax", file: "f", line, column, message }],
    });
  });

  test("may be nested 128 levels deep and no deeper", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(read(nested(128)).problems).toEqual([]);
    expect(read(nested(129)).problems).toMatchObject([{ code: "too-deep", line: 1, column: 129 }]);
    expect(read("[".repeat(1_000_000)).problems).toMatchObject([{ code: "too-deep", line: 1, column: 129 }]);
  });

  test("with a key twice is a problem, and the later one counts", () => {
    const { node, problems } = read('{"a": 1,\n "a": 2}');
    expect(node && toJson(node, () => {})).toEqual({ a: 2 });
    expect(problems).toEqual([
      {
        code: "duplicate-key",
        file: "f",
        line: 2,
        column: 2,
        message: 'the key "a" stands already in line 1: keep one',
      },
    ]);
  });

  test("leaves comment keys out, however often they come", () => {
    const { node, problems } = read('{"//": 1, "a": 1, "//": [{"a": 2, "a": 3}]}', (key) =>
      key.startsWith("//"),
    );
    expect(node && toJson(node, () => {})).toEqual({ a: 1 });
    expect(problems).toMatchObject([{ code: "duplicate-key", column: 35 }]);
  });
});
