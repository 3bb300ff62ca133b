import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildText } from "../support/assemblyscript.js";
import { type RunningComponent, runComponent } from "../support/run-component.js";

const READ = `
import { Decision, Event, Json, context, plainWords, shellCommands } from "wasmhook/guest";

export function handle(event: Event): Decision | null {
  const line = event.tool.input.get("line").string();
  const commands = Json.array();
  const read = shellCommands(line);
  for (let i = 0; i < read.length; i++) commands.push(listOf(read[i]));
  const plain = plainWords(line);
  return context(Json.array().push(commands).push(plain === null ? Json.null() : listOf(plain)).stringify());
}

function listOf(words: string[]): Json {
  const list = Json.array();
  for (let i = 0; i < words.length; i++) list.push(Json.string(words[i]));
  return list;
}
`;

let guest: RunningComponent;
beforeAll(async () => {
  guest = runComponent(await buildText(READ));
});
afterAll(() => guest[Symbol.asyncDispose]());

async function read(line: string): Promise<{ commands: string[][]; plain: string[] | null }> {
  const answer = await guest.run({ event: "preToolCall", cwd: "/", tool: { name: "x", input: { line } } });
  if ("failure" in answer) throw answer.failure;
  const [commands, plain] = JSON.parse(answer.decision.context ?? "");
  return { commands, plain };
}

describe("shellCommands", () => {
  // What a POSIX shell runs, or, after the comment, what else may be run with the text.
  it.each<[string, string[][]]>([
    ["", []],
    ["git  push\torigin", [["git", "push", "origin"]]],
    ["a; b && c || d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    ["(a; b) c", [["a"], ["b"], ["c"]]],
    [`a 'b c' "d \\" e" f\\ g h'i'"j"`, [["a", "b c", 'd " e', "f g", "hij"]]],
    [`a '' ""`, [["a", "", ""]]],
    ["a \\\n b\\\nc", [["a", "bc"]]],
    ["a $'b\\'c' d", [["a", "b'c", "d"]]],
    ["a # b; c\nd", [["a"], ["d"]]],
    ["a#b", [["a#b"]]],
    ["a $(b; c) d", [["b"], ["c"], ["a", "", "d"]]],
    [
      "a \"$(b ')' )\" d",
      [
        ["b", ")"],
        ["a", "", "d"],
      ],
    ],
    ["a `b \\`c\\`` d", [["c"], ["b", ""], ["a", "", "d"]]],
    ["`'`; b; `'`", [[""], [""], ["b"], [""], [""]]],
    ["a <(b c) >(d)", [["b", "c"], ["d"], ["a"]]],
    ["a >b 2>&1 -f", [["a", "b", "2", "1", "-f"]]],
    ["a &>b -f", [["a", "b", "-f"]]],
    ["a >|b -f", [["a", "b", "-f"]]],
    ["cat <<E\ndon't; x\nE\nb", [["cat"], ["dont; x\n"], ["b"]]],
    ["cat <<'E' -\n\tE\nE\nb", [["cat", "-"], ["E"], ["b"]]],
    ["cat <<-E\n\tx\n\tE\nb", [["cat"], ["x"], ["b"]]],
    ["cat <<A <<B\na\nA\nb\nB\nc", [["cat"], ["a"], ["b"], ["c"]]],
    ["sh <<A\nb <<B\nc\nB\nd\nA\ne", [["sh"], ["b"], ["c"], ["d"], ["e"]]],
    ["sh <<A\nb <<B\nA\nc\nB\nd", [["sh"], ["b"], ["c"], ["B"], ["d"]]],
    ["sh <<A\n\tA\nb 'c\nA\nd <<-A\n\tA\ne", [["sh"], ["A"], ["b", "c\n"], ["d"], ["e"]]],
    [`cat <<A\n\${b:-c\nA\nd}`, [["cat"], ["c"], ["d}"]]],
    ["cat <<''\na\n\nb", [["cat"], ["a"], ["b"]]],
    ["cat <<< 'a b' c", [["cat", "a b", "c"]]],
    ["a 'b", [["a", "b"]]],
    [`a$b-c \${d}e \${f:-g h}i "$j" $`, [["a-c", "e", "g", "hi", "", ""]]],
    ["f() { a; }; f", [["f", "{", "a"], ["}"], ["f"]]],
  ])("reads %j", async (line, commands) => {
    expect((await read(line)).commands).toEqual(commands);
  });

  it("follows substitutions 64 deep, and reads what is deeper as words", async () => {
    const deep = await read(`${"$(a ".repeat(100)}b${")".repeat(100)}`);
    expect(deep.commands.flat()).toContain("b");
  });
});

describe("plainWords", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["git log -5 HEAD~1 HEAD^ a:b/c.d", ["git", "log", "-5", "HEAD~1", "HEAD^", "a:b/c.d"]],
    ["  a\t'b $(c) * ;'  \"d e\" f'g' '' ", ["a", "b $(c) * ;", "d e", "fg", ""]],
    ["a 'é'", ["a", "é"]],
  ])("reads %j", async (line, words) => {
    expect((await read(line)).plain).toEqual(words);
  });

  it.each([
    ..."; & | < > ( ) { } [ ] * ? ! # $ ` \\ \n \r \u0000 \u007f é".split(" ").map((char) => `a b${char}c`),
    "~/x",
    "^a^b",
    "a 'b",
    'a "b',
    'a "$b"',
    'a "`b`"',
    'a "!b"',
    'a "b\\c"',
    "a 'b\nc'",
    'a "b\nc"',
  ])("takes %j for no plain command", async (line) => {
    expect((await read(line)).plain).toBeNull();
  });
});
