import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { MOMENTS } from "#src/hooks/event";
import { folder, wasmhook } from "../support/cli.js";

const run = promisify(execFile);

/** Whether a command is there and does its job. */
const works = (command: string) =>
  run("sh", ["-c", command]).then(
    () => true,
    () => false,
  );

const PROBES = {
  c: "echo 'int main(void){return 0;}' | clang --target=wasm32-wasi --sysroot=/usr -x c -o /dev/null -",
  rust: "echo 'fn main(){}' | rustc --target wasm32-wasip1 --out-dir $(mktemp -d) -",
  go: "go version",
};

async function made(...args: string[]) {
  const cwd = await folder({});
  const ended = await wasmhook(["new", "no-sudo", ...args], { cwd, stdin: "" });
  return { ...ended, cwd, hook: join(cwd, "no-sudo") };
}

/** What the README declares in the agent's YAML. */
function yamlIn(readme: string): string {
  const [, block = ""] = /\n( {4}hooks:\n(?: {4}.*\n)*)/.exec(readme) ?? [];
  return block.replaceAll(/^ {4}/gm, "");
}

describe("wasmhook new", () => {
  it.each(MOMENTS.flatMap((moment) => (["as", "ts"] as const).map((lang) => [lang, moment] as const)))(
    "makes a hook in %s for %s that builds and passes its own test",
    async (lang, moment) => {
      const { exitCode, stdout, hook } = await made("--lang", lang, "--event", moment);
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: "cd no-sudo && npm install\nnpx wasmhook test hook.ts\n",
      });
      const test = await wasmhook(["test", "hook.ts"], { cwd: hook, stdin: "" });
      expect(test.stdout).toMatch(/\n2 events: 2 ok\n$/);
      expect(test.exitCode).toBe(0);
    },
  );

  for (const [lang, probe] of Object.entries(PROBES)) {
    it.each(MOMENTS)(
      `makes a program in ${lang} for %s that the commands it prints build and test`,
      async (moment) => {
        if (!(await works(probe))) {
          process.stdout.write(
            `skipped: there is no ${lang} compiler for WASI here, new --lang ${lang} is not tested\n`,
          );
          return;
        }
        const { exitCode, stdout, cwd } = await made("--lang", lang, "--event", moment);
        expect(exitCode).toBe(0);
        const [build = "", test = ""] = stdout.split("\n");
        await run("sh", ["-c", build], { cwd });
        expect(test).toBe("wasmhook test no-sudo.wasm --dialect mm");
        const ended = await wasmhook(test.split(" ").slice(1), { cwd: join(cwd, "no-sudo"), stdin: "" });
        expect(ended.stdout).toMatch(/\n2 events: 2 ok\n$/);
      },
    );
  }

  it("makes TypeScript that its types accept", async () => {
    for (const moment of MOMENTS) {
      const { hook } = await made("--lang", "ts", "--event", moment);
      const root = new URL("../../", import.meta.url).pathname;
      const paths = { "wasmhook/*": [`${root}dist/*.d.ts`] };
      const config = JSON.parse(await readFile(join(hook, "tsconfig.json"), "utf8"));
      config.compilerOptions = { ...config.compilerOptions, paths, types: [] };
      await writeFile(join(hook, "tsconfig.json"), JSON.stringify(config));
      await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", hook]);
    }
  });

  it("declares the hook in its README as an agent's file does", async () => {
    const { hook } = await made("--lang", "as", "--event", "preGeneration");
    const readme = await readFile(join(hook, "README.md"), "utf8");
    expect(parse(yamlIn(readme))).toEqual({
      hooks: { preGeneration: [{ wasm: "no-sudo.wasm", onError: "fail" }] },
    });
  });

  it("declares as a guard what can refuse, and nothing else", async () => {
    const declared = await Promise.all(
      MOMENTS.map(async (moment) => {
        const { hook } = await made("--lang", "ts", "--event", moment);
        const { hooks } = parse(yamlIn(await readFile(join(hook, "README.md"), "utf8")));
        return [moment, hooks[moment][0].onError];
      }),
    );
    expect(Object.fromEntries(declared)).toEqual({ preGeneration: "fail", preToolCall: "fail" });
  });

  it("prints a folder of any name as a shell reads it", async () => {
    const cwd = await folder({});
    const { stdout } = await wasmhook(["new", "it's a/no-sudo", "--lang", "ts"], { cwd, stdin: "" });
    expect(stdout).toMatch(/^cd 'it'\\''s a\/no-sudo' && /);
  });

  it("makes the folders around it", async () => {
    const cwd = await folder({});
    const { exitCode } = await wasmhook(["new", "a/b/no-sudo", "--lang", "ts"], { cwd, stdin: "" });
    expect(exitCode).toBe(0);
    expect(await readdir(join(cwd, "a/b/no-sudo"))).toContain("hook.ts");
  });

  it.each(["a folder", "an empty folder", "a file"])("leaves %s alone that is there", async (what) => {
    const cwd = await folder(
      what === "a file" ? { "no-sudo": "mine" } : what === "a folder" ? { "no-sudo/hook.ts": "mine" } : {},
    );
    if (what === "an empty folder") await mkdir(join(cwd, "no-sudo"));
    const { exitCode, stdout, stderr } = await wasmhook(["new", "no-sudo", "--lang", "ts"], {
      cwd,
      stdin: "",
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toBe("wasmhook new: no-sudo is there already: give another name [file-unwritable]\n");
    const left =
      what === "a file"
        ? [await readFile(join(cwd, "no-sudo"), "utf8")]
        : await readdir(join(cwd, "no-sudo"));
    expect(left).toEqual({ "a file": ["mine"], "a folder": ["hook.ts"], "an empty folder": [] }[what]);
  });

  it.each([
    [[], "give one NAME"],
    [["a", "b"], "give one NAME"],
    [["no-sudo"], "give --lang LANG"],
    [["no-sudo", "--lang", "java"], "--lang java is not known: use as, ts, c, rust, go"],
    [["no-sudo", "--lang", "ts", "--event", "later"], "--event later is not known: use preGeneration,"],
    [["No Sudo", "--lang", "ts"], "No Sudo is no name for a hook: use lower-case letters"],
    [["..", "--lang", "ts"], ".. is no name for a hook"],
  ])("refuses %j", async (args, says) => {
    const { exitCode, stdout, stderr } = await wasmhook(["new", ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`wasmhook new: ${says}`);
  });

  it("prints its help with examples", async () => {
    const { exitCode, stdout } = await wasmhook(["new", "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: wasmhook new NAME .*\nExamples:\n {2}wasmhook new no-sudo --lang ts\n/s);
  });
});
