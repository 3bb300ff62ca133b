import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { loadHooks } from "#src/index";
import { ArtefactCache } from "#src/sandbox/cache/artefact-cache";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
import { type GuestHost, Sandbox } from "#src/sandbox/sandbox";
import { mmAgent } from "../../e2e/hooks.js";
import { folder } from "../../support/cli.js";
import { hookComponent } from "../../support/components.js";
import { constGuest, echoGuest } from "../../support/guests.js";
import { runGuest } from "../run-guest.js";

afterEach(() => vi.unstubAllEnvs());

async function emptyCache(): Promise<ArtefactCache> {
  return new ArtefactCache(join(await folder(), "cache"));
}

/** What a guest gives, and the file that it was then kept in: another where it was not found there. */
async function runIn<Module>(host: GuestHost<Module>, { folder }: ArtefactCache): Promise<object> {
  const { durationMs: _, ...run } = await runGuest(host, echoGuest);
  await host.close();
  const files = (await readdir(folder)).map((name) => statSync(join(folder, name)).ino);
  return { run, files };
}

test("a process of its own finds in the cache what this one keeps there, and the other way round", async () => {
  for (const first of ["process", "thread"]) {
    const cache = await emptyCache();
    const kept =
      first === "process"
        ? await runIn(new SandboxProcesses({ cache }), cache)
        : await runIn(new Sandbox({ cache }), cache);
    expect(kept).toMatchObject({ run: { result: { ok: "{}" } }, files: [expect.any(Number)] });
    expect(await runIn(new SandboxProcesses({ cache }), cache)).toEqual(kept);
    expect(await runIn(new Sandbox({ cache }), cache)).toEqual(kept);
  }
});

test.each(["process", "thread"] as const)(
  "the library's hooks have the user's cache, in a %s too",
  async (isolation) => {
    const cache = await emptyCache();
    vi.stubEnv("WASMHOOK_CACHE_DIR", cache.folder);
    const agent = await mmAgent({
      preToolCall: [{ wasm: await hookComponent(constGuest('{"context":"a"}')) }],
    });
    for (const _time of ["empty", "filled"]) {
      await using hooks = await loadHooks(agent, { isolation });
      for (const hook of hooks.hooks) await hooks.prepare(hook);
      expect(await cache.contents()).toMatchObject({ artefacts: 1 });
      const outcome = await hooks.run({ event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } });
      expect(outcome).toMatchObject({ context: "a", notices: [] });
    }
  },
);
