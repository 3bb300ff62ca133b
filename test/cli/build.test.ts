import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folder, MAIN, program, wasmhook } from "../support/cli.js";

const HOOK = `import { Decision, Event, deny } from "wasmhook/guest";
export function handle(event: Event): Decision | null { return deny("no"); }
`;

describe("wasmhook build", () => {
  it("writes the module beside its source and prints nothing but its path", async () => {
    const cwd = await folder({ "hook.ts": HOOK });
    const { exitCode, stdout, stderr } = await wasmhook(["build", "hook.ts"], { cwd, stdin: "" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "hook.wasm\n" });
    const module = await readFile(join(cwd, "hook.wasm"));
    expect(stderr).toBe(`built hook.wasm: ${module.length.toLocaleString("en")} bytes\n`);
    expect((await readdir(cwd)).sort()).toEqual(["hook.ts", "hook.wasm"]);
  });

  it("writes it where it is told, into a new folder too, and over an old one", async () => {
    const cwd = await folder({ "hook.ts": HOOK, "a/b.wasm": "old" });
    for (const out of ["a/b.wasm", "c/d.wasm"]) {
      const { stdout } = await wasmhook(["build", "hook.ts", "-o", out], { cwd, stdin: "" });
      expect(stdout).toBe(`${out}\n`);
      expect((await readFile(join(cwd, out))).subarray(0, 4).toString("latin1")).toBe("\0asm");
    }
    expect(await readdir(join(cwd, "a"))).toEqual(["b.wasm"]);
  });

  it.each([
    ["", undefined],
    [", on a CI machine too", "true"],
  ])(
    "shows the compiler's words and leaves the old module as it is, where the source does not compile%s",
    async (_where, CI) => {
      const cwd = await folder({ "hook.ts": HOOK.replace('deny("no")', "event"), "hook.wasm": "old" });
      const { exitCode, stdout, stderr } = await wasmhook(["build", "hook.ts"], {
        cwd,
        stdin: "",
        env: { CI },
      });
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(stderr).toMatch(
        /^ERROR TS2322: .*└─ in hook\.ts\(2,64\)\n\nwasmhook build: hook\.ts does not compile/s,
      );
      expect(await readFile(join(cwd, "hook.wasm"), "utf8")).toBe("old");
    },
  );

  it.each([
    ["the source", "hook.ts", "hook.ts"],
    ["the source by another spelling", "hook.ts", "../{}/./hook.ts"],
    ["the source by a link", "hook.ts", "link"],
    ["another source", "hook.ts", "other.ts"],
  ])("does not write over %s", async (_, source, out) => {
    const cwd = await folder({ [source]: HOOK, "other.ts": HOOK });
    await symlink("hook.ts", join(cwd, "link"));
    const target = out.replace("{}", basename(cwd));
    const { exitCode, stdout, stderr } = await wasmhook(["build", source, "-o", target], { cwd, stdin: "" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`${target} is a source, and the module would replace it`);
    for (const file of ["hook.ts", "other.ts", "link"]) {
      expect(await readFile(join(cwd, file), "utf8")).toBe(HOOK);
    }
  });

  it("says where it cannot write", async () => {
    const cwd = await folder({ "hook.ts": HOOK, file: "" });
    const { exitCode, stderr } = await wasmhook(["build", "hook.ts", "-o", "file/hook.wasm"], {
      cwd,
      stdin: "",
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^wasmhook build: file\/hook\.wasm cannot be written: .* \[build-failed\]\n$/);
  });

  it.each([
    ["no source", []],
    ["two sources", ["a.ts", "b.ts"]],
    ["an unknown option", ["a.ts", "--output", "b"]],
  ])("exits with 1 and a hint for %s", async (_, args) => {
    const { exitCode, stdout, stderr } = await wasmhook(["build", ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^wasmhook build: .*see wasmhook build --help\)\n$/);
  });

  it("prints its help with examples", async () => {
    const { exitCode, stdout, stderr } = await wasmhook(["build", "--help"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Usage: wasmhook build SOURCE \[-o FILE\] \[--lang LANG\]\n.*\nExamples:\n {2}wasmhook build no-force-push\.ts\n/s,
    );
  });

  it("tells a language by --lang where the source does not", async () => {
    const cwd = await folder({
      "hook.ts": 'export { handle } from "./guard";',
      "guard.ts": HOOK,
    });
    const build = (...args: string[]) => wasmhook(["build", "hook.ts", ...args], { cwd, stdin: "" });
    expect(await build("--lang", "as")).toMatchObject({ exitCode: 0, stdout: "hook.wasm\n" });
    expect((await build()).stderr).toContain('Could not resolve "wasmhook/guest"');
    expect((await build("--lang", "rust")).stderr).toContain(
      "--lang rust is not known: use as, js, ts [usage]",
    );
  });

  it("builds JavaScript, and never writes over it", async () => {
    const cwd = await folder({ "hook.js": "export function handle(event) {}" });
    const build = (...args: string[]) => wasmhook(["build", "hook.js", ...args], { cwd, stdin: "" });
    expect(await build()).toMatchObject({ exitCode: 0, stdout: "hook.wasm\n" });
    expect((await build("-o", "other.js")).stderr).toContain("other.js is a source");
  });

  it("says how to get the compilers where they are not installed", async () => {
    const home = await folder({ "hook.ts": HOOK, "hook.js": "export function handle(event) {}" });
    const root = fileURLToPath(new URL("../../", import.meta.url));
    for (const part of ["dist", "wit", "guest", "guest-js", "asconfig.json", "package.json"]) {
      await cp(join(root, part), join(home, "app", part), { recursive: true });
    }
    const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      const link = join(home, "app/node_modules", name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(root, "node_modules", name), link);
    }
    const main = MAIN.replace(root, join(home, "app/"));
    const build = (source: string) =>
      program(process.execPath, [main, "build", source], { cwd: home, stdin: "" });
    expect(await build("hook.ts")).toMatchObject({
      exitCode: 1,
      stderr:
        "wasmhook build: the AssemblyScript compiler is not installed; get it with: npm install --save-dev assemblyscript@0.28 [tool-missing]\n",
    });
    expect(await build("hook.js")).toMatchObject({
      exitCode: 1,
      stderr:
        "wasmhook build: the componentizer of JavaScript is not installed; get it with: npm install --save-dev componentize-qjs@0.4 esbuild [tool-missing]\n",
    });
  });
});
