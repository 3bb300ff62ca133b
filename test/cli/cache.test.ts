import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ArtefactCache } from "#src/sandbox/cache/artefact-cache";
import { type Ended, folder, wasmhook } from "../support/cli.js";

const CHECKSUM_BYTES = 32;
const LIMIT_BYTES = 256 * 1024 * 1024;

/** A folder with two artefacts in it. */
async function filled(): Promise<string> {
  const cache = new ArtefactCache(join(await folder(), "cache"));
  await cache.put("a", new Uint8Array(1_000));
  await cache.put("b", new Uint8Array(2_000));
  return cache.folder;
}
const BYTES = 3_000 + 2 * CHECKSUM_BYTES;

function cacheVerb(path: string, ...args: string[]): Promise<Ended> {
  return wasmhook(["cache", ...args], { stdin: "", env: { WASMHOOK_CACHE_DIR: path } });
}

describe("wasmhook cache", () => {
  test("shows the folder, how many modules and bytes are in it, and its bound", async () => {
    const path = await filled();
    expect(await cacheVerb(path)).toEqual({
      exitCode: 0,
      stdout: `${path}\n2 modules, 3,064 bytes, of at most 268,435,456\n`,
      stderr: "",
    });
    const { stdout } = await cacheVerb(path, "--json");
    expect(JSON.parse(stdout)).toEqual({ folder: path, artefacts: 2, bytes: BYTES, limitBytes: LIMIT_BYTES });
  });

  test("--clear empties it, and says how much that was", async () => {
    const path = await filled();
    expect(await cacheVerb(path, "--clear")).toEqual({
      exitCode: 0,
      stdout: `${path}\nremoved 2 modules, 3,064 bytes\n`,
      stderr: "",
    });
    expect(await readdir(path)).toEqual([]);
    const { stdout } = await cacheVerb(path, "--clear", "--json");
    expect(JSON.parse(stdout)).toEqual({ folder: path, removed: { artefacts: 0, bytes: 0 } });
  });

  test("shows an empty one where there is no folder yet, and makes none", async () => {
    const parent = await folder();
    const { stdout, exitCode } = await cacheVerb(join(parent, "cache"));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("0 modules, 0 bytes");
    expect(await readdir(parent)).toEqual([]);
  });

  test("says so where there is none at all", async () => {
    for (const args of [[], ["--clear"]]) {
      expect(await cacheVerb("", ...args)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^there is no cache: .*WASMHOOK_CACHE_DIR/),
      });
      expect(JSON.parse((await cacheVerb("", ...args, "--json")).stdout)).toEqual({ folder: null });
    }
  });

  test("says why a folder is not used, and clears nothing there", async () => {
    const path = await filled();
    await chmod(path, 0o755);
    expect(await cacheVerb(path)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\nis not used, others have rights to it: .*chmod 700/),
    });
    const { stdout } = await cacheVerb(path, "--json");
    expect(JSON.parse(stdout)).toEqual({ folder: path, fault: expect.stringContaining("chmod 700") });
    expect(await cacheVerb(path, "--clear")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/is not used as a cache, others have .* \[cache-unusable\]/),
    });
    expect(await readdir(path)).toHaveLength(2);
    const file = join(await folder(), "file");
    await writeFile(file, "");
    expect((await cacheVerb(join(file, "cache"))).stdout).toContain("ENOTDIR");
  });

  test("is explained by --help, and does not take what it does not know", async () => {
    const help = await cacheVerb("", "--help");
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toMatch(/WASMHOOK_CACHE_DIR[\s\S]*--clear/);
    expect(await cacheVerb("", "--cleer")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("did you mean --clear?"),
    });
    expect((await cacheVerb("", "all")).exitCode).toBe(1);
  });
});
