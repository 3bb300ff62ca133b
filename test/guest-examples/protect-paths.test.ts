import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "#src/hooks/json";
import { builtExample, testEvents, testHooksJson } from "./examples.js";

describe("the example protect-paths", async () => {
  const example = builtExample("protect-paths");
  await testEvents(example);
  testHooksJson(example);

  async function denies(
    input: Record<string, JsonValue>,
    config: JsonValue,
    cwd = "/work",
  ): Promise<boolean> {
    const answer = await example.run(
      { event: "preToolCall", cwd, tool: { name: "fs_write", input } },
      { config },
    );
    if ("failure" in answer) throw answer.failure;
    return answer.decision.action === "deny";
  }

  it("denies just the paths that are inside, by a path library's reckoning", async () => {
    const part = fc.constantFrom("a", "b", "ab", "..", ".", "", "work", "c d", "é");
    const path = fc
      .tuple(fc.constantFrom("", "/", "//", "./", "/work/"), fc.array(part, { maxLength: 6 }))
      .map(([start, parts]) => start + parts.join("/"));
    const guarded = fc.constantFrom("a", "./a/b/", "/work/ab", "../work/a", "/", "c d", "/x/../work/é");
    for (const [named, paths] of fc.sample(fc.tuple(path, guarded), { numRuns: 600, seed: 1 })) {
      const relative = posix.relative(posix.resolve("/work", paths), posix.resolve("/work", named));
      const isInside = relative === "" || (relative !== ".." && !relative.startsWith("../"));
      expect([named, paths, await denies({ path: named }, { paths, ignoreCase: false })]).toEqual([
        named,
        paths,
        isInside,
      ]);
    }
  });

  it.each([
    ["SECRETS/x", true],
    ["secrets\\x", true],
    ["..\\work\\secrets", true],
    [" secrets/x", true],
    ["file:secrets/x", true],
    ["file:///work/secrets/x", true],
    ["FILE:///work/secrets/x", true],
    ["fIlE:///work/%73ecrets/x", true],
    ["file://localhost/work/%2e/secrets%2Fx", true],
    ["file:///work/%zz/secrets%", false],
    ["secrets.txt", false],
    ["not/secrets", false],
    ["~/secrets", false],
    ["C:/work/secrets", false],
    ["", false],
  ])("reads %j", async (path, denied) => {
    expect(await denies({ path }, { paths: ["secrets"] })).toBe(denied);
  });

  it("knows ~ as itself only", async () => {
    expect(await denies({ path: "~/.ssh/id" }, { paths: ["~/.ssh"] })).toBe(true);
    expect(await denies({ path: "x/../~/.ssh/id" }, { paths: ["~/.ssh"] })).toBe(false);
  });

  it("finds a ** path anywhere, and only as whole names", async () => {
    const config = { paths: ["**/.env", "**/k/8s"] };
    expect(await denies({ path: "a/.env/b" }, config)).toBe(true);
    expect(await denies({ path: "/.env" }, config)).toBe(true);
    expect(await denies({ path: "x/k/8s/y" }, config)).toBe(true);
    expect(await denies({ path: "a/.envrc" }, config)).toBe(false);
    expect(await denies({ path: "x/k/y/8s" }, config)).toBe(false);
  });

  it("looks at every member of those names, and at no other", async () => {
    const config = { paths: ["/s"] };
    expect(await denies({ edits: [{ deep: [{ file_path: "/s/a" }] }] }, config)).toBe(true);
    expect(await denies({ paths: ["/a", ["/s/b"]] }, config)).toBe(true);
    expect(await denies({ file: { name: "/s/c" } }, config)).toBe(true);
    expect(await denies({ content: "/s/d" }, config)).toBe(false);
    expect(await denies({ content: "/s/d" }, { paths: ["/s"], fields: ["content"] })).toBe(true);
    expect(await denies({ path: "/s/d" }, { paths: ["/s"], fields: ["content"] })).toBe(false);
    expect(await denies({ path: "/s/d" }, { paths: ["/s"], tools: ["other"] })).toBe(false);
  });

  it("denies a path of 600 KiB with a reason that can be read", async () => {
    const path = `secrets/${"x/".repeat(300_000)}`;
    const answer = await example.run(
      { event: "preToolCall", cwd: "/work", tool: { name: "x", input: { path } } },
      { config: { paths: ["secrets"] }, limits: { fuel: 1e9 } },
    );
    expect(answer).toMatchObject({
      decision: { action: "deny", reason: expect.stringMatching(/^.{1,400}$/) },
    });
  });

  it.each([
    ["10 MB of text", "some code and text that is not that long\n".repeat(245_000)],
    ["4 MB of short lines", "let x = 1\n".repeat(400_000)],
    ["2 MB that are all escapes", '"\n'.repeat(500_000)],
    ["2 MB where every other character is escaped", '"x'.repeat(666_000)],
  ])("looks for paths beside a content of %s with the default fuel", async (_, content) => {
    expect(await denies({ content, path: "src/x" }, { paths: ["secrets"] })).toBe(false);
    expect(await denies({ content, path: "secrets/x" }, { paths: ["secrets"] })).toBe(true);
  });

  it("says that its config lacks paths", async () => {
    const answer = await example.run({ event: "preToolCall", cwd: "/", tool: { name: "x", input: {} } });
    expect(answer).toMatchObject({
      failure: { code: "guest-error", message: expect.stringContaining('"paths"') },
    });
  });
});
