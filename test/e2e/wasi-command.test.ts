import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { HookEvent, Hooks, Outcome, Run } from "#src/index";
import { folder, runEvent, wasmhook } from "../support/cli.js";
import { catCommand, command, READ_ALL, type Said, sayingCommand, TEXT } from "../support/commands.js";
import { componentFromWat } from "../support/components.js";
import { type Declared, hooksJson, mmAgent, outcomeOf, sharedHooks } from "./hooks.js";
import { callEvent, decoded } from "./mnemoai-events.js";

const RUN_WASI = fileURLToPath(new URL("../support/run-wasi.mjs", import.meta.url));
const byNode = (file: string) => `exec '${process.execPath}' --no-warnings '${RUN_WASI}' "${file}"`;

const CALL: HookEvent = {
  event: "preToolCall",
  cwd: tmpdir(),
  tool: { name: "bash", input: { command: "git push -f é" } },
};

/** What differs for good reasons between a module that is run here and one that is run by Node. */
function told(outcome: Outcome): object {
  const plain = ({ decided, error, dropped }: Run) => ({
    decided,
    ...(dropped === undefined ? {} : { dropped }),
    ...(error === undefined ? {} : { code: error.code, message: sameNoun(error.message) }),
  });
  const notices = outcome.notices.map(({ kind, text }) => ({ kind, text: sameNoun(text) }));
  const { reason } = outcome;
  const runs = outcome.runs.map(plain);
  return { ...outcome, notices, runs, ...(reason === undefined ? {} : { reason: sameNoun(reason) }) };
}

function sameNoun(text: string): string {
  return text
    .replace(/^hook ".*?" (failed|may)/, "hook $1")
    .replace("the module exited", "the command exited")
    .replace(/"(?:wasm|command)-(\d+)"/, '"tool-$1"');
}

type Case = [what: string, said: Said | string, decides: object, rest?: object];

const textOf = (said: Said | string) => (typeof said === "string" ? said : sayingCommand(said));

/** Programs in a folder, and each declared as a wasm hook for the tool `wasm-N`, and as a command for `command-N`. */
async function declared(cases: readonly Case[]): Promise<(Declared & { matcher: string })[]> {
  const modules = await Promise.all(cases.map(([, said]) => componentFromWat(textOf(said))));
  const directory = await folder(Object.fromEntries(modules.map((bytes, i) => [`${i}.wasm`, bytes])));
  return modules.flatMap((wasm, i) => [
    { wasm, matcher: `wasm-${i}`, ...cases[i]?.[3] },
    { command: byNode(join(directory, `${i}.wasm`)), matcher: `command-${i}`, ...cases[i]?.[3] },
  ]);
}

const DENY = JSON.stringify({ action: "deny", reason: "no é" });
/** Fails, and says on stderr what it read on stdin. */
const SAYING_BACK = command({
  start: `${READ_ALL} (call $write (i32.const 2) (i32.const ${TEXT}) (local.get $n)) (call $proc_exit (i32.const 9))`,
});

const MM: readonly Case[] = [
  ["nothing", {}, { decision: "none", notices: [] }],
  ["a decision", { stdout: DENY }, { decision: "deny", reason: "no é" }],
  ["a decision before an exit with 0", { stdout: DENY, exitCode: 0 }, { decision: "deny" }],
  ["a decision before another exit", { stdout: DENY, exitCode: 1 }, { decision: "none" }],
  ["two decisions", { stdout: "{}{}" }, { decision: "none", notices: [{ kind: "warning" }] }],
  ["text", { stdout: "hello" }, { decision: "none", notices: [{ kind: "warning" }] }],
  ["an exit with 2", { exitCode: 2, stderr: "because é\n" }, { decision: "none" }],
  ["an exit with 3 and nothing said", { exitCode: 3 }, { decision: "none" }],
  ["a warning beside a decision", { stdout: DENY, stderr: "hm" }, { decision: "deny" }],
  ["a failure that denies", { exitCode: 9, stderr: "broken" }, { decision: "deny" }, { onError: "fail" }],
  [
    "a decision that it has no grant for",
    { stdout: DENY },
    { runs: [{ dropped: ["deny"] }] },
    { may: ["ask"] },
  ],
  ["the event on its stdin", SAYING_BACK, { notices: [{ text: expect.stringContaining("é中😀") }] }],
];

describe("a program in mm gives as a wasm hook what it gives as a command hook:", () => {
  const agent = sharedHooks(async () => {
    const hooks = await declared(MM);
    return mmAgent({ preToolCall: hooks.map((hook) => ({ ...hook, matcher: `^${hook.matcher}$` })) });
  });

  test.each(MM.map(([what, , decides], i) => [what, decides, i] as const))(
    "%s",
    async (_what, decides, i) => {
      const [here, there] = await bothOf(agent.hooks, (kind) => ({
        event: "preToolCall",
        cwd: tmpdir(),
        extra: { a: [1] },
        tool: { name: `${kind}-${i}`, input: { text: "é中😀" } },
      }));
      expect(told(here)).toEqual(told(there));
      expect(here).toMatchObject(decides);
    },
  );
});

const MNEMOAI: readonly Case[] = [
  ["nothing", {}, { decision: "none", notices: [] }],
  ["text for the user", { stdout: "formatted é\n" }, { notices: [{ kind: "info", text: "formatted é" }] }],
  ["a denial", { stdout: '{"decision":"deny","reason":"no"}' }, { decision: "deny", reason: "no" }],
  [
    "a denial by its exit code",
    { exitCode: 2, stderr: "secret é\n" },
    { decision: "deny", reason: "secret é" },
  ],
  ["a denial of which stdout is the reason", { exitCode: 2, stdout: "by stdout" }, { reason: "by stdout" }],
  ["a denial without a reason", { exitCode: 2 }, { decision: "deny" }],
  ["another exit", { exitCode: 1, stderr: "oops" }, { decision: "none", notices: [{ kind: "warning" }] }],
  ["an approval", { stdout: '{"decision":"allow"}', exitCode: 0 }, { decision: "allow" }],
  [
    "the event on its stdin",
    SAYING_BACK,
    { runs: [{ logs: [{ message: expect.stringMatching(/^\{"session_id"/) }] }] },
  ],
];

describe("a program in mnemoai gives as a wasm hook what it gives as a command hook:", () => {
  const agent = sharedHooks(async () => hooksJson({ PreToolUse: await declared(MNEMOAI) }));

  test.each(MNEMOAI.map(([what, , decides], i) => [what, decides, i] as const))(
    "%s",
    async (_what, decides, i) => {
      const [here, there] = await bothOf(agent.hooks, (kind) =>
        // Long values are cut in this dialect.
        decoded("PreToolUse", `${kind}-${i}`, { path: "/é", content: "x".repeat(25_000) }),
      );
      expect(told(here)).toEqual(told(there));
      expect(here).toMatchObject(decides);
    },
  );
});

async function bothOf(
  hooks: Hooks,
  eventFor: (kind: "wasm" | "command") => HookEvent,
): Promise<[Outcome, Outcome]> {
  return [await hooks.run(eventFor("wasm")), await hooks.run(eventFor("command"))];
}

test("the same program stands in one chain as both, and each sees what the other rewrote", async () => {
  const rewrites = (step: number) =>
    componentFromWat(sayingCommand({ stdout: JSON.stringify({ input: { step } }) }));
  const cat = { wasm: await componentFromWat(catCommand(2)) };
  const program = join(await folder({ "one.wasm": await rewrites(1) }), "one.wasm");
  const config = await mmAgent({
    preToolCall: [{ command: byNode(program) }, cat, { wasm: await rewrites(2) }, cat],
  });
  const { input, runs } = await outcomeOf(config, CALL);
  const seen = runs.flatMap(({ logs = [] }) => logs.map(({ message }) => JSON.parse(message).tool.input));
  expect([input, seen]).toEqual([{ step: 2 }, [{ step: 1 }, { step: 2 }]]);
});

describe("the command line", () => {
  test("shows the fuel, the memory and the log of a program as of any wasm hook", async () => {
    const wasm = await componentFromWat(sayingCommand({ stdout: DENY, stderr: "one\ntwo\n" }));
    const config = await mmAgent({ preToolCall: [{ wasm }] });
    expect((await runEvent(config, CALL)).outcome.runs).toMatchObject([
      {
        runner: "wasm",
        decided: "deny",
        fuel: expect.any(Number),
        peakMemoryBytes: 65_536,
        logs: [
          { level: "info", message: "one" },
          { level: "info", message: "two" },
        ],
      },
    ]);
    const { stdout } = await wasmhook(["run", "--config", config], { stdin: JSON.stringify(CALL) });
    expect(stdout).toMatch(/ wasm .* deny +\(.* fuel, 64 KiB\)\n +info: one\n +info: two\n/);
  });

  test("lists and checks it", async () => {
    const program = await componentFromWat(sayingCommand({}));
    const yaml = stringify({ hooks: { preToolCall: [{ wasm: "program.wasm" }] } });
    const config = join(await folder({ "program.wasm": program, "agent.yaml": yaml }), "agent.yaml");
    expect((await wasmhook(["list", "--config", config])).stdout).toContain(
      "program.wasm  (100,000,000 fuel)",
    );
    const checked = await wasmhook(["check", "--config", config]);
    expect([checked.exitCode, checked.stdout]).toEqual([
      0,
      expect.stringContaining("ok  preToolCall[0]  program.wasm"),
    ]);
  });

  test("refuses a module that is none, with its line and what would be one", async () => {
    const yaml = stringify({ hooks: { preToolCall: [{ wasm: "program.wasm" }] } });
    const imports = '(import "env" "abort" (func))';
    const program = await componentFromWat(
      `(module ${imports} (memory (export "memory") 1) (func (export "_start")))`,
    );
    const config = join(await folder({ "program.wasm": program, "agent.yaml": yaml }), "agent.yaml");
    const { exitCode, stderr } = await wasmhook(["check", "--config", config]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /agent\.yaml:3:7: "program\.wasm": The module imports abort from env, .*\[import-refused\]/,
    );
  });
});

describe("a program cannot read a `config:`, which is a problem of its declaration", () => {
  const WHY =
    '"config" is for components, and this module is a WASI command, which cannot read it: remove it';

  test("in mm", async () => {
    const files = {
      "program.wasm": await componentFromWat(sayingCommand({})),
      "agent.yaml": stringify({ hooks: { preToolCall: [{ wasm: "program.wasm", config: { a: 1 } }] } }),
    };
    const { exitCode, stderr } = await wasmhook([
      "check",
      "--config",
      join(await folder(files), "agent.yaml"),
    ]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`agent.yaml:4:7: ${WHY} [component-only-key]`),
    ]);
  });

  test("in mnemoai, where the hook is left out, unless it is to guard", async () => {
    const hook = { type: "wasm", wasm: "program.wasm", config: null };
    const declared = { PreToolUse: [{ hooks: [hook, { ...hook, onError: "fail" }] }] };
    const files = {
      "program.wasm": await componentFromWat(sayingCommand({})),
      "hooks.json": JSON.stringify({ hooks: declared }),
    };
    const config = join(await folder(files), "hooks.json");
    const { outcome, stderr } = await runEvent(config, callEvent("PreToolUse", "x"));
    expect(stderr).toContain(WHY);
    expect(outcome).toMatchObject({ decision: "deny", runs: [{ decided: "failed" }] });
  });
});
