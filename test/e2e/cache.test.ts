import { chmod, cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Outcome } from "#src/hooks/outcome";
import { folder, program, runEvent, wasmhook } from "../support/cli.js";
import { constGuest, echoGuest, growGuest } from "../support/guests.js";
import { component, mmAgent } from "./hooks.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EVENT = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: { command: "ls" } } };

/** Two modules, one of which three hooks have, and one that fails. */
async function agent(): Promise<string> {
  const context = { wasm: await component(constGuest('{"context":"a"}')) };
  return mmAgent({
    preToolCall: [
      context,
      context,
      { ...context, limits: { memory: "1MiB" } },
      { wasm: await component(growGuest) },
    ],
  });
}
const ARTEFACTS = 3;

async function cacheFolder(): Promise<string> {
  return join(await folder(), "cache");
}

/** All of an outcome that is the same each time. */
function comparable({ runs, ...outcome }: Outcome): object {
  return { ...outcome, runs: runs.map(({ durationMs: _, ...run }) => run) };
}

async function outcomeWith(config: string, env: Record<string, string | undefined>): Promise<object> {
  const { outcome, stderr } = await runEvent(config, EVENT, { env });
  expect(stderr).toBe("");
  return comparable(outcome);
}

describe("the command line's cache", () => {
  test("is filled by a run or a check, and changes nothing but the time that the next takes", async () => {
    const config = await agent();
    const expected = await outcomeWith(config, {});
    const path = await cacheFolder();
    for (const _time of ["empty", "filled"]) {
      expect(await outcomeWith(config, { WASMHOOK_CACHE_DIR: path })).toEqual(expected);
      expect(await readdir(path)).toHaveLength(ARTEFACTS);
    }
    const checked = await cacheFolder();
    await wasmhook(["list", "--config", config], { stdin: "", env: { WASMHOOK_CACHE_DIR: checked } });
    await expect(readdir(checked)).rejects.toThrow("ENOENT");
    await wasmhook(["check", "--config", config], { stdin: "", env: { WASMHOOK_CACHE_DIR: checked } });
    expect((await readdir(checked)).sort()).toEqual((await readdir(path)).sort());
  });

  test("is filled by many processes at once, of which each gives the same", async () => {
    const config = await agent();
    const expected = await outcomeWith(config, {});
    const path = await cacheFolder();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => outcomeWith(config, { WASMHOOK_CACHE_DIR: path })),
    );
    for (const outcome of outcomes) expect(outcome).toEqual(expected);
    const names = await readdir(path);
    expect(names).toHaveLength(ARTEFACTS);
    expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("is in the user's folder for caches, which it makes", async () => {
    const config = await agent();
    const home = await folder();
    const env = { WASMHOOK_CACHE_DIR: undefined, XDG_CACHE_HOME: undefined, HOME: home };
    await outcomeWith(config, env);
    const caches = process.platform === "darwin" ? "Library/Caches" : ".cache";
    expect(await readdir(join(home, caches, "wasmhook"))).toHaveLength(ARTEFACTS);
  });

  test.each([
    ["there is no home", { HOME: "" }],
    ["the home cannot be written", { HOME: "/dev/null" }],
    ["it is turned off", { WASMHOOK_CACHE_DIR: "" }],
  ])("makes no difference where %s", async (_why, env) => {
    const config = await agent();
    const expected = await outcomeWith(config, {});
    expect(
      await outcomeWith(config, { WASMHOOK_CACHE_DIR: undefined, XDG_CACHE_HOME: undefined, ...env }),
    ).toEqual(expected);
  });

  test("makes no difference where others may write to it, even what is there", async () => {
    const config = await agent();
    const path = await cacheFolder();
    const expected = await outcomeWith(config, { WASMHOOK_CACHE_DIR: path });
    for (const name of await readdir(path)) await writeFile(join(path, name), "planted");
    await chmod(path, 0o777);
    expect(await outcomeWith(config, { WASMHOOK_CACHE_DIR: path })).toEqual(expected);
    for (const name of await readdir(path)) expect(await readFile(join(path, name), "utf8")).toBe("planted");
  });

  test("makes no difference where the disk takes no more", async () => {
    const config = await agent();
    const path = await cacheFolder();
    // Files of at most 512 or 1024 bytes; what is over it fails and is no signal.
    const limited = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;
    const args = [
      "-c",
      limited,
      process.execPath,
      join(ROOT, "dist/cli/main.js"),
      "run",
      "--json",
      "--config",
      config,
    ];
    const { stdout, stderr, exitCode } = await program("sh", args, {
      stdin: JSON.stringify(EVENT),
      env: { WASMHOOK_CACHE_DIR: path },
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(comparable(JSON.parse(stdout))).toEqual(await outcomeWith(config, {}));
    expect(await readdir(path), "no part is left").toEqual([]);
  });

  test("never serves what other code of the sandbox has made", async () => {
    const root = await folder();
    await cp(join(ROOT, "dist"), join(root, "dist"), { recursive: true });
    await cp(join(ROOT, "package.json"), join(root, "package.json"));
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    const config = await mmAgent({ preToolCall: [{ wasm: await component(echoGuest), onError: "ignore" }] });
    const path = await cacheFolder();
    const fuel = async () => {
      const args = [join(root, "dist/cli/main.js"), "run", "--json", "--config", config];
      const options = { stdin: JSON.stringify(EVENT), env: { WASMHOOK_CACHE_DIR: path } };
      const { stdout } = await program(process.execPath, args, options);
      return (JSON.parse(stdout) as Outcome).runs[0]?.fuel;
    };
    const before = await fuel();
    expect(await fuel()).toBe(before);
    expect(await readdir(path)).toHaveLength(1);
    const table = join(root, "dist/sandbox/meter/cost-table.js");
    const text = await readFile(table, "utf8");
    await writeFile(table, text.replace("FUNCTION_ENTRY_COST = 1", "FUNCTION_ENTRY_COST = 9"));
    expect(await fuel()).not.toBe(before);
    expect(await readdir(path)).toHaveLength(2);
  });
});
