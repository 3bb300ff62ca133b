import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, wasmhook } from "../support/cli.js";
import { componentFromWat } from "../support/components.js";

/** A command that denies, with a function of an ugly name. */
const WAT = `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "{\\"action\\":\\"deny\\",\\"reason\\":\\"no\\"}")
  (func $say (@name "say<b>\\1b[31m") (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 31))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func (export "_start") (call $say)))`;
const CALL = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: { command: "ls" } } };

let module: Uint8Array;
beforeAll(async () => {
  module = await componentFromWat(WAT);
});

async function profiled(args: string[], files: Record<string, string | Uint8Array> = {}) {
  const cwd = await folder({ "hook.wasm": module, "event.json": JSON.stringify(CALL), ...files });
  return { cwd, ...(await wasmhook(["profile", ...args], { cwd, stdin: "" })) };
}

describe("wasmhook profile", () => {
  it("shows a table of functions, whose fuel is together that of wasmhook test", async () => {
    const { cwd, exitCode, stdout } = await profiled(["hook.wasm", "--event", "event.json"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^hook\.wasm: [\d,]+ fuel\n +self +total +calls {2}function\n/);
    const fuel = /: ([\d,]+) fuel/.exec(stdout)?.[1] ?? "";
    const figures = [...stdout.matchAll(/^ *([\d,]+) +[\d.]+% .*$/gm)].map(([, self = ""]) =>
      Number(self.replaceAll(",", "")),
    );
    expect(figures.reduce((sum, self) => sum + self, 0)).toBe(Number(fuel.replaceAll(",", "")));
    const test = await wasmhook(["test", "hook.wasm", "--event", "event.json"], { cwd, stdin: "" });
    expect(test.stdout).toContain(`deny  (${fuel} fuel`);
    expect(stdout).toContain("say<b>\\u{1b}[31m\n");
  });

  it("shows as many functions as it is told, and says how many more there are", async () => {
    const { stdout } = await profiled(["hook.wasm", "--event", "event.json", "--top", "1"]);
    expect(stdout.split("\n")).toHaveLength(5);
    expect(stdout).toMatch(/\nand 2 more: --top 3\n$/);
  });

  it("writes a flame graph that has no script, and no name as markup", async () => {
    const { cwd, exitCode } = await profiled([
      "hook.wasm",
      "--event",
      "event.json",
      "--to",
      "out/flame.html",
    ]);
    expect(exitCode).toBe(0);
    const page = await readFile(join(cwd, "out/flame.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>.*default-src 'none'.*<\/html>\n$/s);
    expect(page).not.toMatch(/<script|<b>|\bsrc=|\bhref=/);
    expect(page).not.toContain("\u001b");
    expect(page).toMatch(/title="say&#60;b&#62;[^"]*: [\d,]+ fuel \([\d.]+%\), [\d,]+ itself, 1 calls"/);
  });

  it("writes a profile for speedscope, of which the weights are the fuel", async () => {
    const { cwd, stdout } = await profiled(["hook.wasm", "--event", "event.json", "--speedscope", "p.json"]);
    const { shared, profiles } = JSON.parse(await readFile(join(cwd, "p.json"), "utf8"));
    const [{ samples, weights, endValue, type }] = profiles;
    const sum = weights.reduce((units: number, weight: number) => units + weight, 0);
    expect({ type, endValue, samples: samples.length }).toEqual({
      type: "sampled",
      endValue: sum,
      samples: weights.length,
    });
    expect(stdout).toContain(`: ${sum.toLocaleString("en")} fuel`);
    const names = samples.map((stack: number[]) => stack.map((frame) => shared.frames[frame].name));
    expect(names).toContainEqual(["(host)", "_start", expect.stringContaining("say")]);
  });

  it("builds a source, in AssemblyScript with the names of its functions, and hands it its config", async () => {
    const source = `import { Decision, Event, config, deny } from "wasmhook/guest";
      function reasonOf(word: string): string { let all = ""; for (let i = 0; i < 40; i++) all += word; return all; }
      export function handle(event: Event): Decision | null { return deny(reasonOf(config().get("word").string())); }`;
    const { exitCode, stdout } = await profiled(
      ["hook.ts", "--event", "event.json", "--config", '{"word":"a"}', "--top", "100"],
      { "hook.ts": source },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/ +40 {2}~lib\/string\/String\.__concat\n/);
  });

  it("says that the hook failed, and shows where its fuel went until then", async () => {
    const loop = await componentFromWat(`(module (memory (export "memory") 1)
      (func $spin (loop $l (br $l))) (func (export "_start") (call $spin)))`);
    const { exitCode, stdout } = await profiled(["loop.wasm", "--event", "event.json"], {
      "loop.wasm": loop,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nfailed: the hook used up its 100000000 units of fuel.* \[out-of-fuel\]\n/);
    expect(stdout).toMatch(/ {2}100\.0% +[\d,]+ +100\.0% +1 {2}spin\n/);
  });

  it.each([
    [[], "give one HOOK: a .wasm or a source"],
    [["agent.yaml", "--event", "event.json"], "give one HOOK: a .wasm or a source"],
    [["hook.wasm"], "give --event FILE"],
    [["hook.wasm", "--event", "event.json", "--top", "0"], "--top 0 is no number of functions"],
    [["none.wasm", "--event", "event.json"], "there is no file"],
    [["hook.wasm", "--event", "none.json"], "cannot read the event from none.json"],
    [["hook.wasm", "--event", "hook.wasm"], "the event is not"],
    [["event.wasm", "--event", "event.json"], "[core-module]"],
    [["hook.wasm", "--event", "event.json", "--to", "event.json/x"], "[file-unwritable]"],
  ])("refuses %j", async (args, says) => {
    const bad = await componentFromWat("(module)");
    const { exitCode, stdout, stderr } = await profiled(args, { "event.wasm": bad });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(says);
  });

  it("prints its help with examples", async () => {
    const { exitCode, stdout } = await wasmhook(["profile", "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: wasmhook profile HOOK .*\nExamples:\n {2}wasmhook profile guard\.wasm/s);
  });
});
