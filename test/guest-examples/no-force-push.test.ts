import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bash, builtExample, testEvents, testHooksJson } from "./examples.js";
import { realGit } from "./real-git.js";
import { realShell } from "./real-shell.js";

/** What a hook of a few lines would look for. */
const SIMPLE = /\bgit\s+push\b.*(--force|-f\b)/;

describe("the example no-force-push", async () => {
  const example = builtExample("no-force-push");
  await testEvents(example);
  testHooksJson(example);

  async function denies(command: unknown, over?: object): Promise<boolean> {
    const answer = await example.run(bash(command, over));
    if ("failure" in answer) throw answer.failure;
    return answer.decision.action === "deny";
  }

  it.each([
    "git push -f",
    "git  push\t--force",
    "git -C x push -f",
    "git --git-dir x --work-tree=y push -f",
    "git -c x.y=z push --force",
    "git push origin +main",
    "git push origin main +refs/heads/*:refs/heads/*",
    "git push --force-with-lease",
    "git push --force-if-includes --force-with-lease=a:b",
    "git push --mirror",
    "git push --mirro origin",
    "git push --mir origin",
    "git push --m origin",
    "git push --force-w",
    "git push --force-i --force-w=a:b",
    "git send-pack --m x",
    "git push -uf",
    "git push -vfo ci.skip",
    "git send-pack --force x",
    "/usr/bin/git push --force",
    "GIT.EXE push --force",
    "/usr/lib/git-core/git-push -f",
    "sudo -u x git push -f",
    "A=b git push origin +x",
    "cd x && git push -f",
    "true | git push -f",
    "(git push -f)",
    "{ git push -f; }",
    "if a; then git push origin +x; fi",
    "a=$(git push origin +x)",
    'echo "`git push origin +x`"',
    "git push $(echo origin) -vf",
    "git push >log 2>&1 -f",
    "git push &>log -f",
    "git push \\\n  --force",
    `g"it" pu''sh '-f'`,
    "git $'push' -f",
    "``git pu$(:)sh origin +x",
    `$x git push \${y:-+x}`,
    `\${x:-git push origin +x}`,
    `bash -lc 'git push origin "+x"'`,
    `sh -c "sh -c 'git push origin +x'"`,
    "eval git push origin +x",
    "ssh host 'git push origin +x'",
    "bash <<< 'git push origin +x'",
    "bash <<E\ngit push origin +x\nE",
    "cat <<E\ndon't\nE\ngit push origin +x",
    "# don't\ngit push origin +x",
    "`'`; git push origin +x; `'`",
    "git -c alias.p='push -f' p",
    "git -c remote.origin.push=+x push",
    "git -c remote.origin.mirror=true push",
    "git --config-env=remote.origin.push=X push",
    "git --config-env remote.origin.push=X push",
    "git --config-env=remote.a=b.push=X push",
    "git --config-env=remote.origin.mirror=X push",
    "git --config-env=alias.p=X p",
    "git -c a.b=c --config-env=d.e=F push origin +x",
  ])("denies %j", async (command) => {
    expect(await denies(command)).toBe(true);
  });

  it.each([
    "",
    "git push",
    "git push -u origin main",
    "git push --no-force",
    "git push -o f origin main",
    "git push -of",
    "git push --follow-tags",
    "git push --fol",
    "git push -- main",
    "git --config-env=user.name=X push",
    "git -c remote.origin.push=x push",
    "git -c remote.origin.push=+x",
    "git push origin main # not by force",
    "git fetch -f",
    "git fetch origin +main",
    "git push && rm -r x",
    "git config alias.p push",
    "gitk push --force",
    "git pushx -f",
    "git commit -m 'push it'",
    "rm -f x; git push",
    "cat <<'E'\nUse `git push`, it's fine.\nE",
  ])("has no opinion on %j", async (command) => {
    expect(await denies(command)).toBe(false);
  });

  it.each([
    [["git", "push", "-f"], true],
    [["bash", "-lc", "git push origin +x"], true],
    [["git", "push", "origin"], false],
    [7, false],
    [undefined, false],
  ])("reads a command that comes as %j", async (command, denied) => {
    expect(await denies(command)).toBe(denied);
  });

  it("denies all that the simple pattern finds", async () => {
    const token = fc.constantFrom(
      ..."git|push|-f|--force|--no-force|-|_|x|.|'|\"|\\|/|-ff|-f_|#".split("|"),
      ...[" ", " ", " ", "\t", "\n", "\r", "\u2028", "\u00a0", "\u3000", "git push "],
    );
    const lines = fc.sample(
      fc.array(token, { maxLength: 12 }).map((parts) => parts.join("")),
      { numRuns: 4000, seed: 1 },
    );
    const found = [...new Set(lines.filter((line) => SIMPLE.test(line)))];
    expect(found.length).toBeGreaterThan(50);
    for (const line of found) expect([line, await denies(line)]).toEqual([line, true]);
  });

  it("denies every line with which a real shell runs a push with force", async () => {
    const gitCalls = await realShell();
    const token = fc.constantFrom(
      ..."git push |git push origin +main|git|push |+main|+main|x|;|&&|  ||(|)|'|\"|`|$(|#|\\|{ |; }|eval |sh -c |$'|>o |2>&1|&>o |<<E|<<-'E'|E|<<<|! ".split(
        "|",
      ),
      ...["|", "|| ", " ", " ", " ", "\n", "\n", "\\\n", "\nE\n", "if :; then ", "\nfi\n"],
    );
    const around = fc.array(token, { maxLength: 6 }).map((parts) => parts.join(""));
    const lines = fc.sample(
      fc.tuple(around, around).map((parts) => parts.join("git push origin +main")),
      { numRuns: 150, seed: 1 },
    );
    const forced = lines.filter((line) =>
      gitCalls(line).some(([verb, ...rest]) => verb === "push" && rest.some(forces)),
    );
    expect(forced.length).toBeGreaterThan(20);
    for (const line of forced) expect([line, await denies(line)]).toEqual([line, true]);
  }, 120_000);

  function forces(word: string): boolean {
    return word === "-f" || word === "--force" || /^\+./.test(word);
  }

  it("takes the fields and the reason from its config", async () => {
    const event = bash("", { script: "git push -f" });
    expect(await example.run(event)).toMatchObject({ decision: {} });
    const config = { fields: ["script"], reason: "no" };
    expect(await example.run(event, { config })).toMatchObject({
      decision: { action: "deny", reason: "no" },
    });
  });

  it("denies a command that is too long to be read, and reads the longest that is not", async () => {
    const text = "some `code` and text that is not long\n".repeat(4000);
    expect(await denies(text.slice(0, 131_072))).toBe(false);
    expect(await denies(`${text.slice(0, 131_000)}\ngit push origin +x`)).toBe(true);
    expect(await denies("x".repeat(131_073))).toBe(true);
    expect(await denies(`sh -c '${"x ".repeat(32_000)}'`)).toBe(false);
    expect(await denies(`sh -c '${"x ".repeat(40_000)}'`)).toBe(true);
    expect(await denies(["x".repeat(131_071)])).toBe(false);
    expect(await denies(["x".repeat(131_071), "x"])).toBe(true);
  });

  it("tells every abbreviation that the real git takes for force", async () => {
    const isTaken = await realGit();
    let forced = 0;
    for (const name of ["--force", "--mirror", "--force-with-lease", "--force-if-includes"]) {
      for (let length = 3; length <= name.length; length++) {
        const option = name.slice(0, length);
        if (!isTaken(option)) continue;
        forced++;
        expect([option, await denies(`git push ${option} origin`)]).toEqual([option, true]);
      }
    }
    expect(forced).toBeGreaterThan(15);
  });

  function fill(text: string, { before = "", after = "", length = 131_072 } = {}): string {
    const room = length - before.length - after.length;
    return before + text.repeat(Math.floor(room / text.length)) + after;
  }

  function inBackticks(text: string, depth: number): string {
    if (depth === 0) return text;
    return `\`${inBackticks(text, depth - 1).replaceAll(/[\\`]/g, "\\$&")}\``;
  }

  it.each([
    ["here-documents in one another", fill("cat <<A\n", { before: ": <<A\n" })],
    ["here-documents without tabs", fill("<<-A\n\t\t")],
    ["here-documents with ends", fill("<<A\nA\n")],
    ["here-documents with many ends", fill("<<A\n", { length: 131_000, after: "A\n".repeat(20_000) })],
    [
      "here-documents that begin on one line",
      `${fill("<<B ", { length: 60_000 })}\n${fill("<<A\n", { length: 60_000 })}`,
    ],
    [
      "here-documents of many lines to look for",
      Array.from({ length: 11_000 }, (_, i) => `<<A${i}\n`).join(""),
    ],
    ["backticks in one another", inBackticks("x ".repeat(45_000), 14)],
    ["backticks", fill("`")],
    ["pushes", fill("git push ")],
    ["pushes with options", fill("git push -x -u ")],
    ["options of one push", fill("-x ", { before: "git push " })],
    ["options of git", fill("git -C ")],
    ["programs", fill("git.exe push ")],
    ["commands", fill("a;")],
    ["lines", fill("a\n")],
    ["quoted words", fill("'a b' ")],
    ["a quoted line", fill("-x ", { before: "sh -c 'git push ", after: "'", length: 65_000 })],
    ["substitutions", fill("$(")],
  ])(
    "reads or denies %s of the greatest length within nine tenths of the default fuel",
    async (_, command) => {
      expect(command.length).toBeLessThanOrEqual(131_072);
      const answer = await example.run(bash(command));
      expect(answer).not.toHaveProperty("failure");
      expect(answer.fuel).toBeLessThan(90_000_000);
    },
  );

  it("finds a push in front of thousands of here-documents", async () => {
    expect(await denies(fill("cat <<A\n", { before: "gi't' push -f origin main\n: <<A\n" }))).toBe(true);
    expect(await denies(`${"cat <<A\n".repeat(200)}git push origin +x`)).toBe(true);
    expect(await denies(`${"$(".repeat(70)}\`git push origin +x\``)).toBe(true);
  });

  it("reads an event of a mebibyte within the default limits", async () => {
    const content = 'some `code` and "text" that isn\'t long\n'.repeat(27_000);
    expect(await denies("git push", { content })).toBe(false);
    expect(await denies("git push -f", { content })).toBe(true);
  });
});
