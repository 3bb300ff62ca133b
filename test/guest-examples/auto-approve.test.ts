import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bash, builtExample, testEvents, testHooksJson } from "./examples.js";
import { realShell } from "./real-shell.js";

describe("the example auto-approve", async () => {
  const example = builtExample("auto-approve");
  await testEvents(example);
  testHooksJson(example);

  const commands = [
    "git status *",
    "git log *",
    "git diff *",
    "git show *",
    "git stash list",
    "ls *",
    "cat *",
  ];
  async function allows(command: unknown, { over = {}, config = {} } = {}): Promise<boolean> {
    const answer = await example.run(bash(command, over), { config: { commands, ...config } });
    if ("failure" in answer) throw answer.failure;
    return answer.decision.action === "allow";
  }

  it.each([
    "git status",
    "  git\tstatus  ",
    "git status -sb --porcelain=v2",
    "git log -5 -n 3 -n3 --oneline --graph --all",
    "git log --since='2 weeks ago' --format=\"%h %s\" -Sneedle",
    "git diff --stat HEAD^ HEAD~2 -- a/b.c --output=is-a-file-here",
    "git show HEAD:src/app.ts",
    "git stash list",
    "ls",
    "ls -lA1 --color=auto src",
    "cat a b",
  ])("allows %j", async (command) => {
    expect(await allows(command)).toBe(true);
  });

  it.each([
    "",
    "git",
    "git push",
    "git stash list x",
    "git stash",
    "/usr/bin/git status",
    "sudo git status",
    "git status;",
    ...[
      "; x",
      "&& x",
      "|| x",
      "| x",
      "& x",
      "&",
      "\nx",
      "\rx",
      "> x",
      ">> x",
      "< x",
      "<(x)",
      "$(x)",
      "`x`",
      "$x",
      `\${x}`,
    ].map((tail) => `git status ${tail}`),
    ...["*", "?", "[a]", "{a,b}", "!x", "#x", "~/x", "\\x", '"$x"', '"`x`"', "'x", "é", "\u00a0x"].map(
      (tail) => `git log ${tail}`,
    ),
    "X=y git status",
    "git -c core.pager=x log",
    "git -C x status",
    "git --exec-path=x status",
    "git --no-pager log",
    "git diff --output=x",
    "git diff --output x",
    "git diff --outp=x",
    "git diff '--output=x'",
    'git diff --out"put=x"',
    "git log --ext-diff -p",
    "git log --textconv",
    "git diff --no-index a b",
    "git show --format=x -Ox",
    "git log -c",
    "ls -I x",
    "cat -A x",
    "cat --x",
  ])("has no opinion on %j", async (command) => {
    expect(await allows(command)).toBe(false);
  });

  it("allows options that are configured", async () => {
    const config = { options: ["--topo-order", "--output"] };
    expect(await allows("git log --topo-order")).toBe(false);
    expect(await allows("git log --topo-order", { config })).toBe(true);
    expect(await allows("git diff --output=x", { config })).toBe(true);
    expect(await allows("git diff --outp=x", { config })).toBe(false);
  });

  it("reads the words of a command as they are", async () => {
    expect(await allows(["git", "log", "--author=a", "HEAD~1"])).toBe(true);
    expect(await allows(["git", "log", "--output=x"])).toBe(false);
    expect(await allows(["bash", "-lc", "git log"])).toBe(false);
    expect(await allows(["git", "log", 5])).toBe(false);
    for (const word of ["; rm -rf x", ";", "a;b", "a b", " a", "", "$x", "`x`", "'a'", '"a"', "*", "a\nb"]) {
      expect([word, await allows(["git", "log", word])]).toEqual([word, false]);
    }
  });

  it("has no opinion where another argument may change what runs", async () => {
    expect(await allows("git diff", { over: { timeout: 5, description: "x", background: true } })).toBe(true);
    expect(await allows("git diff", { over: { args: ["--output=x"] } })).toBe(false);
    expect(await allows("git diff", { over: { env: { GIT_EXTERNAL_DIFF: "x" } } })).toBe(false);
    expect(await allows("git diff", { over: { stdin: "x" } })).toBe(false);
    expect(await allows("git diff", { over: { stdin: "x" }, config: { harmlessFields: ["stdin"] } })).toBe(
      true,
    );
  });

  it.each(["cwd", "workdir", "working_directory", "directory"])(
    "has no opinion where %s is another directory than the agent's",
    async (field) => {
      expect(await allows("git status", { over: { [field]: "/work" } })).toBe(true);
      for (const place of ["/tmp/evil", "/work/sub", "", "../work", ["/work"], {}]) {
        expect(await allows("git status", { over: { [field]: place } })).toBe(false);
      }
      const config = { harmlessFields: [field] };
      expect(await allows("git status", { over: { [field]: "/elsewhere" }, config })).toBe(true);
    },
  );

  it("says that its config lacks commands, or has one that is no plain command", async () => {
    const failed = { failure: { code: "guest-error" } };
    expect(await example.run(bash("ls"))).toMatchObject(failed);
    expect(await example.run(bash("ls"), { config: { commands: ["git log | cat"] } })).toMatchObject(failed);
    expect(await example.run(bash("ls"), { config: { commands: [" *"] } })).toMatchObject(failed);
  });

  /** A line without its quotes and the widths of its blanks. */
  function bare(line: string): string {
    return line
      .replaceAll(/['"]/g, "")
      .replaceAll(/[ \t]+/g, " ")
      .trim();
  }

  it("allows only lines with which a real shell runs that one command, with its words", async () => {
    const gitCalls = await realShell();
    const token = fc.constantFrom(
      ..."log|-5|HEAD~1|a/b|'a b'|\"c d\"|'|\"|$x|`git x`|;|&|(|)|{a,b}|*|!|#|\\|>o|~|^|=|%|@|+|:|,|--|-p|é".split(
        "|",
      ),
      ...[" ", " ", " ", "\t", "|", "\n", "\r", "'$x;'"],
    );
    const lines = fc.sample(
      fc.array(token, { maxLength: 7 }).map((parts) => `git log ${parts.join("")}`),
      { numRuns: 1000, seed: 1 },
    );
    let allowed = 0;
    for (const line of new Set(lines)) {
      if (!(await allows(line))) continue;
      allowed++;
      const calls = gitCalls(line);
      const [first] = calls;
      expect([line, calls.length, first?.[0]]).toEqual([line, 2, "log"]);
      expect(calls).toEqual([first, first]);
      expect(bare(first?.join(" ") ?? "")).toBe(bare(line.replace("git", "")));
    }
    expect(allowed).toBeGreaterThan(50);
  }, 120_000);
});
