import { describe, expect, test } from "vitest";
import { ProblemList } from "#src/config/problem";
import { toJson } from "#src/config/tree";
import { readYaml } from "#src/config/yaml-tree";

function read(text: string, ...keys: string[]) {
  const problems = new ProblemList("f");
  const report = problems.reporter();
  const entries = readYaml(text, (key) => (keys.length === 0 ? key === "a" : keys.includes(key)), report);
  const json = Object.fromEntries([...entries].map(([key, { value }]) => [key, toJson(value, report)]));
  return { entries, json, problems: problems.inOrder() };
}

function at(text: string): string[] {
  return read(text).problems.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

describe("YAML", () => {
  test("is read as YAML 1.2 has it, where yes is a string and 010 is ten", () => {
    expect(read("a: [yes, on, 010, 0x10, 0o10, 1.5, null, ~, true, 'x', 2001-01-01]").json).toEqual({
      a: ["yes", "on", 10, 16, 8, 1.5, null, null, true, "x", "2001-01-01"],
    });
  });

  test("keeps to YAML 1.2 whatever version a directive names", () => {
    expect(read("%YAML 1.1\n---\na: [yes, 1:30]\n").json).toEqual({ a: ["yes", "1:30"] });
  });

  test("of JSON is YAML too", () => {
    expect(read('{\n\t"a": {"b": [1, "\\u00e9"]}\n}').json).toEqual({ a: { b: [1, "é"] } });
  });

  test("names number keys as they are written, as JSON made from YAML does", () => {
    expect(read("a: {1: x, 2.50: y, true: z}").json).toEqual({ a: { 1: "x", "2.50": "y", true: "z" } });
  });

  test("keeps a __proto__ key as a key", () => {
    expect(JSON.stringify(read("a: {__proto__: {b: 1}}").json)).toBe('{"a":{"__proto__":{"b":1}}}');
  });

  test("without anything in it has no keys", () => {
    for (const text of ["", "\n", "# only a comment\n", "---\n", "null", "~"]) {
      expect(read(text)).toMatchObject({ json: {}, problems: [] });
    }
  });

  test("that is no map is a problem", () => {
    expect(at("just words")).toEqual(["1:1 bad-type"]);
    expect(at("\n- a\n")).toEqual(["2:1 bad-type"]);
  });

  test("knows where each key and value stands, in files with CR LF too", () => {
    const { entries } = read("x: 1\r\na:\r\n  - b: 𝄞\r\n    c:   d # e\r\n");
    const list = entries.get("a");
    expect(list?.keyAt).toEqual({ line: 2, column: 1 });
    const item = list?.value.kind === "list" ? list.value.items[0] : undefined;
    expect(item?.at).toEqual({ line: 3, column: 5 });
    const c = item?.kind === "map" ? item.entries.get("c") : undefined;
    expect(c?.keyAt).toEqual({ line: 4, column: 5 });
    expect(c?.value.at).toEqual({ line: 4, column: 10 });
  });

  test("points at the key where its value was left out", () => {
    const { entries } = read("x:\n\na:\n");
    expect(entries.get("a")?.value).toEqual({
      kind: "scalar",
      at: { line: 3, column: 1 },
      value: null,
      text: "",
    });
  });
});

describe("a YAML file with a fault", () => {
  test.each([
    ["a:\n\tb: 1", 2, 1, "indent with spaces"],
    ["a: b: c", 1, 4, 'put a value that holds ": " in quotes'],
    ["a: [1", 1, 6, "close every bracket"],
    ["a: @x", 1, 4, "put the value in quotes"],
    ['a: "C:\\dir"', 1, 7, "write a backslash as \\\\"],
    ['a: "x', 1, 6, "add what is missing"],
    ["a:\n  - b: 1\n   c: 2", 3, 4, "line up what belongs together"],
    ["a: *", 1, 4, "correct it"],
    ["a: 1\n---\na: 2", 2, 1, "keep one in the file"],
  ])("is refused with the place and the fix: %j", (text, line, column, fix) => {
    const { json, problems } = read(text);
    expect(json).toEqual({});
    expect(problems[0]).toMatchObject({ code: "yaml-syntax", line, column });
    expect(problems[0]?.message).toContain(fix);
  });

  test("lists all its errors, but not a crowd of them", () => {
    expect(at("a: @x\nb: @y\n")).toEqual(["1:4 yaml-syntax", "2:4 yaml-syntax"]);
    expect(at("a: [b c: @x, `d`]")).toEqual(["1:10 yaml-syntax"]);
    const { problems } = read("a: @x\n".repeat(1000));
    expect(problems).toHaveLength(21);
    expect(problems[20]).toMatchObject({
      line: 21,
      column: 4,
      message: "there are more errors of syntax from here on: correct the first ones",
    });
  });

  test("is refused for a key that comes twice, in the agent's part too", () => {
    const { problems } = read("model:\n  name: x\n  name: y\na: {b: 1, 'b': 2}\n");
    expect(problems).toEqual([
      {
        code: "duplicate-key",
        file: "f",
        line: 3,
        column: 3,
        message: 'the key "name" stands already in line 2: keep one',
      },
      {
        code: "duplicate-key",
        file: "f",
        line: 4,
        column: 11,
        message: 'the key "b" stands already in line 4: keep one',
      },
    ]);
  });

  test("is refused for the one key of thousands that comes twice", () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join("\n");
    expect(at(`${keys}\nk0: 2\n`)).toEqual(["20001:1 duplicate-key"]);
  });

  test("is refused for an alias without an anchor before it", () => {
    const { problems } = read("a: *later\nb: &later 1\n");
    expect(problems).toMatchObject([
      {
        code: "unknown-alias",
        line: 1,
        column: 4,
        message: '"*later" has no anchor before it: write &later there',
      },
    ]);
  });

  test("is refused for a tag or a key that JSON has no words for", () => {
    expect(at("a: !env HOME")).toEqual(["1:9 bad-type"]);
    expect(at("a: !!binary aGk=")).toEqual(["1:13 bad-type"]);
    expect(at("a:\n  ? [1]\n  : x\n")).toEqual(["2:5 bad-type"]);
    expect(at("a:\n  ~: x\n")).toEqual(["2:3 bad-type"]);
    expect(at("a: !!str 12")).toEqual([]);
  });

  test("is refused where it is nested deeper than 128 levels, before a parser's stack is full", () => {
    expect(at(`a: ${"[".repeat(127)}${"]".repeat(127)}`)).toEqual([]);
    expect(at(`a: ${"[".repeat(20_000)}`)).toEqual(["1:132 too-deep"]);
    expect(at("- ".repeat(20_000))).toEqual(["1:259 too-deep"]);
    expect(at("? ".repeat(20_000))).toEqual(["1:259 too-deep"]);
    expect(at(`x: ${"{".repeat(20_000)}`)).toEqual(["1:132 too-deep"]);
  });

  test("is refused for a number that JSON could not keep", () => {
    expect(at("a: .inf")).toEqual(["1:4 bad-value"]);
    expect(at("a: [1, .nan]")).toEqual(["1:8 bad-value"]);
    expect(at("a: 9007199254740993")).toEqual(["1:4 bad-value"]);
    expect(at('a: [9007199254740991, -0.1, "9007199254740993"]')).toEqual([]);
  });

  test("is refused for half a surrogate pair, which no UTF-8 can hold", () => {
    expect(at('a: "\\ud834"')).toEqual(["1:4 bad-value"]);
    expect(at('a: {"\\udd1e": 1}')).toEqual(["1:5 bad-value"]);
    expect(at('a: "𝄞"')).toEqual([]);
  });
});

describe("aliases and merge keys", () => {
  test("stand for what they name", () => {
    expect(read("x: &x {b: 1}\na: [*x, &y 2, *y]\n").json).toEqual({ a: [{ b: 1 }, 2, 2] });
  });

  test("take the last anchor of that name before them", () => {
    expect(read("x: &x 1\na: [*x, &x 2, *x]\ny: &x 3\n").json).toEqual({ a: [1, 2, 2] });
  });

  test("merge maps: own keys go first, then the earlier map", () => {
    const text = "x: &x {b: 1, c: 1}\ny: &y {c: 2, d: 2, e: 2}\na:\n  <<: [*x, *y]\n  e: 3\n";
    expect(read(text).json).toEqual({ a: { e: 3, b: 1, c: 1, d: 2 } });
  });

  test("merge a map that is merged itself, and one written in place", () => {
    expect(read("x: &x {b: 1}\ny: &y {<<: *x, c: 2}\na: {<<: *y, <<: {d: 3}}\n").json).toEqual({
      a: { c: 2, b: 1, d: 3 },
    });
  });

  test("merge into the top of the file", () => {
    expect(read("x: &x {a: 1}\n<<: *x\n").json).toEqual({ a: 1 });
  });

  test("point to where the value is written", () => {
    const { entries } = read("x: &x\n  b: 1\na:\n  <<: *x\n");
    const map = entries.get("a")?.value;
    expect(map?.kind === "map" && map.entries.get("b")?.keyAt).toEqual({ line: 2, column: 3 });
  });

  test("merge only maps", () => {
    expect(at("a:\n  <<: 1\n")).toEqual(["2:7 bad-type"]);
    expect(at("a:\n  <<: [{b: 1}, 2]\n")).toEqual(["2:7 bad-type"]);
  });

  test("in quotes, << is a key like any other", () => {
    expect(read("a: {'<<': 1}").json).toEqual({ a: { "<<": 1 } });
  });

  test("cannot blow up a small file", () => {
    const lists = Array.from(
      { length: 9 },
      (_, i) => `x${i + 1}: &x${i + 1} [${Array(9).fill(`*x${i}`).join(",")}]`,
    );
    const bomb = ["x0: &x0 [lol]", ...lists, "a: *x9"].join("\n");
    expect(read(bomb).problems).toMatchObject([{ code: "too-many-values" }]);
    const maps = Array.from(
      { length: 9 },
      (_, i) => `x${i + 1}: &x${i + 1} {<<: [${Array(9).fill(`*x${i}`).join(",")}]}`,
    );
    const merged = ["x0: &x0 {b: 1}", ...maps, "a: *x9"].join("\n");
    expect(read(merged).problems).toMatchObject([{ code: "too-many-values" }]);
  });

  test("of the agent's part are left alone, whatever they would make", () => {
    const lists = Array.from(
      { length: 9 },
      (_, i) => `x${i + 1}: &x${i + 1} [${Array(9).fill(`*x${i}`).join(",")}]`,
    );
    expect(read(["x0: &x0 [lol]", ...lists, "a: 1"].join("\n"))).toMatchObject({
      json: { a: 1 },
      problems: [],
    });
  });

  test("of themselves are refused", () => {
    expect(at("a: &a [*a]")).toEqual([expect.stringContaining("too-deep")]);
    expect(at("a: &a {<<: *a}")).toEqual([expect.stringContaining("too-deep")]);
    expect(at("a: &a {b: &b [*a, *b]}")).toEqual([expect.stringContaining("too-deep")]);
  });
});
