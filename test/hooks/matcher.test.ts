import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { anyTool, globMatcher, regexMatcher } from "#src/hooks/matcher";

interface Table {
  names: string[];
  matches: [pattern: string, names: string[]][];
}
const table = JSON.parse(readFileSync(new URL("fnmatch.json", import.meta.url), "utf8")) as Table;

describe("a glob matcher", () => {
  it.each(table.matches)("matches with %j what Python's fnmatchcase matches", (pattern, expected) => {
    const matcher = globMatcher(pattern);
    expect(table.names.filter((name) => matcher.matches(name))).toEqual(expected);
  });

  it("does not slow down on many stars", () => {
    expect(globMatcher(`${"*".repeat(200)}x`).matches("y".repeat(10_000))).toBe(false);
  });

  it.each([
    [`${"*a".repeat(500)}*b`, "a".repeat(1024), false],
    [`${"*a".repeat(500)}*`, "a".repeat(1024), true],
    ["*[a-b]?".repeat(300), "ab".repeat(512), true],
    [`${"*a?".repeat(300)}c`, "ab".repeat(512), false],
  ])("with many stars apart is tried in no time: case %#", (glob, name, expected) => {
    expect(globMatcher(glob).matches(name)).toBe(expected);
  });

  it("takes a character beyond U+FFFF for one", () => {
    expect(globMatcher("?").matches("😀")).toBe(true);
    expect(globMatcher("[😀-😂]x").matches("😁x")).toBe(true);
  });

  it("matches no event that is not about a tool", () => {
    expect(globMatcher("*").matches(undefined)).toBe(false);
  });
});

describe("a regular expression matcher", () => {
  it("searches the whole name, unanchored", () => {
    expect(regexMatcher("bash").matches("my_bash_tool")).toBe(true);
    expect(regexMatcher("^bash$").matches("my_bash_tool")).toBe(false);
    expect(regexMatcher("^bash$").matches("bash")).toBe(true);
  });

  it("takes escapes that only Unicode mode refuses", () => {
    expect(regexMatcher("^fs\\-write$").matches("fs-write")).toBe(true);
  });

  it("throws a SyntaxError for what is no regular expression", () => {
    expect(() => regexMatcher("(")).toThrow(SyntaxError);
  });
});

it("a hook without a matcher is for every event", () => {
  expect(anyTool().matches(undefined)).toBe(true);
  expect(anyTool().matches("bash")).toBe(true);
});
