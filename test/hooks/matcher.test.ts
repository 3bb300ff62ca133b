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
