import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;

/** What `npm pack` makes, installed in an empty folder as a user would. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wasmhook-package-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
  await run("npm", ["install", ...quiet, join(folder, filename)], { cwd: folder });
}, 180_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (args: string[]) =>
  run(join(folder, "node_modules/.bin/wasmhook"), args, { cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

describe("the package, installed in an empty folder", () => {
  it("runs the main job from its bin", async () => {
    await mkdir(join(folder, "hooks"), { recursive: true });
    const example = await readFile(join(ROOT, "guest-examples/no-force-push/build/no-force-push.wasm"));
    await writeFile(join(folder, "hooks/guard.wasm"), example);
    const hooks = ['- command: "true"', "- wasm: hooks/guard.wasm"].map((line) => `    ${line}\n`).join("");
    await writeFile(join(folder, "agent.yaml"), `hooks:\n  preToolCall:\n${hooks}`);
    const event = {
      event: "preToolCall",
      cwd: folder,
      tool: { name: "bash", input: { command: "git push -f" } },
    };
    await writeFile(join(folder, "event.json"), JSON.stringify(event));
    const { code, stdout } = await installed([
      "run",
      "--config",
      "agent.yaml",
      "--event",
      "event.json",
      "--json",
    ]);
    expect(code).toBe(2);
    const outcome = JSON.parse(stdout) as { decision: string; runs: { runner: string }[] };
    expect(outcome.decision).toBe("deny");
    expect(outcome.runs.map((one) => one.runner)).toEqual(["command", "wasm"]);
  });

  it("type-checks from a program that embeds it, and runs in it", async () => {
    const program = `import { loadHooks, WasmhookError, type Outcome } from "wasmhook";
import type { PreToolCallDecision, TypedEvent } from "wasmhook/types";

export function guard(event: TypedEvent): PreToolCallDecision {
  return event.event === "preToolCall" && event.tool.name === "bash" ? { action: "ask" } : {};
}

await using hooks = await loadHooks("agent.yaml", { limits: { fuel: 1_000_000 } });
const event = { event: "preToolCall", cwd: process.cwd(), tool: { name: "bash", input: { command: "ls" } } } as const;
const outcome: Outcome = await hooks.run(event);
const decision: "none" | "allow" | "ask" | "deny" | "stop" = outcome.decision;
try {
  await hooks.run({ ...event, cwd: "relative" });
} catch (error) {
  if (error instanceof WasmhookError) process.stdout.write(\`\${decision} \${error.code}\`);
}
`;
    await writeFile(join(folder, "program.ts"), program);
    const strict = {
      target: "es2022",
      lib: ["es2023", "esnext.disposable"],
      module: "nodenext",
      strict: true,
    };
    const compilerOptions = { ...strict, typeRoots: [join(ROOT, "node_modules/@types")], types: ["node"] };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["program.ts"] }),
    );
    await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder]);
    const { stdout } = await run(process.execPath, [join(folder, "program.js")], { cwd: folder });
    expect(stdout).toBe("none bad-event");
  });

  it("says how to get the compiler where build is called without it", async () => {
    await writeFile(join(folder, "hook.ts"), 'import { Event } from "wasmhook/guest";');
    await writeFile(join(folder, "hook.js"), "export function handle() {}");
    for (const [source, tool] of [
      ["hook.ts", "assemblyscript"],
      ["hook.js", "componentize-qjs"],
    ] as const) {
      const { code, stderr } = await installed(["build", source]);
      expect(code).toBe(1);
      expect(stderr).toContain(`npm install --save-dev ${tool}`);
      expect(stderr).toMatch(/\[tool-missing\]/);
    }
  });

  it("ships the schemas of events and decisions", async () => {
    const id = (name: string) => `require("wasmhook/schema/${name}.json").$id`;
    const read = `process.stdout.write(${id("event")} + " " + ${id("decision")})`;
    const { stdout } = await run(process.execPath, ["--input-type=commonjs", "-e", read], { cwd: folder });
    expect(stdout).toBe("urn:wasmhook:event:1.0.0 urn:wasmhook:decision:1.0.0");
  });

  it("ships the contract, the guest library and no tests", async () => {
    const wit = await readFile(join(folder, "node_modules/wasmhook/wit/hook.wit"), "utf8");
    expect(wit).toContain("package wasmhook:hook@1.0.0;");
    await expect(readFile(join(folder, "node_modules/wasmhook/guest/index.ts"))).resolves.toBeDefined();
    await expect(readFile(join(folder, "node_modules/wasmhook/guest-js/adapter.js"))).resolves.toBeDefined();
    await expect(readFile(join(folder, "node_modules/wasmhook/test"))).rejects.toThrow();
  });
});
