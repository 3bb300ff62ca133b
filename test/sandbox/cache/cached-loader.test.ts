import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { buildHook } from "#src/build/build-hook";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { ArtefactCache } from "#src/sandbox/cache/artefact-cache";
import { codeId } from "#src/sandbox/cache/code-id";
import { Sandbox, type SandboxModule, type SandboxOptions, type SandboxRun } from "#src/sandbox/sandbox";
import { folder } from "../../support/cli.js";
import { componentFromWat, hookComponent } from "../../support/components.js";
import { echoGuest, guest, logGuest } from "../../support/guests.js";
import { handlerText } from "../../support/handler.js";
import { threadsStartedBy } from "../../support/threads.js";
import { codeOf, outputOf, type RunOptions, runModule } from "../run-guest.js";

/** Of each example: there are many, and each is run three times. */
const EVENTS = 8;

const fresh = new Sandbox();
afterAll(() => fresh.close());

async function emptyCache(): Promise<ArtefactCache> {
  return new ArtefactCache(join(await folder(), "cache"));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function load(
  sandbox: Sandbox,
  bytes: Uint8Array,
  memoryBytes = DEFAULT_LIMITS.memoryBytes,
): Promise<SandboxModule> {
  return sandbox.load(bytes, sha256(bytes), { memoryBytes });
}

/** Uses a sandbox as a process of its own would. */
async function inSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = new Sandbox({ workers: 1, ...options });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function runAll(sandbox: Sandbox, bytes: Uint8Array, runs: RunOptions[]): Promise<object[]> {
  const module = await load(sandbox, bytes);
  const done: Omit<SandboxRun, "durationMs">[] = [];
  for (const options of runs) {
    const { durationMs: _, ...run } = await runModule(sandbox, module, options);
    done.push(run);
  }
  return done;
}

describe("a module from the cache gives what one does that was loaded afresh:", () => {
  const examples = new URL("../../../guest-examples/", import.meta.url);
  const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

  test.each(names)("the example %s, for its first events", async (name) => {
    const { bytes } = await buildHook(new URL(`${name}/hook.ts`, examples).pathname);
    const { hooks } = parseYaml(readFileSync(new URL(`${name}/agent.yaml`, examples), "utf8"));
    const configs = Object.values(hooks).flat() as { config?: unknown }[];
    const events = new URL(`${name}/events/`, examples);
    const runs = readdirSync(events)
      .slice(0, EVENTS)
      .flatMap((file) =>
        configs.map(({ config = null }): RunOptions => {
          return { event: readFileSync(new URL(file, events), "utf8"), config: JSON.stringify(config) };
        }),
      );
    runs.push({ ...runs[0], limits: { fuel: 5_000 } });
    const cache = await emptyCache();
    const expected = await runAll(fresh, bytes, runs);
    for (const _time of ["empty", "filled"]) {
      expect(await inSandbox({ cache }, (sandbox) => runAll(sandbox, bytes, runs))).toEqual(expected);
    }
    expect(await cache.contents()).toMatchObject({ artefacts: 1 });
  });

  test("its logs too", async () => {
    const bytes = await hookComponent(logGuest);
    const cache = await emptyCache();
    const runs = [{ event: '{"é":"😀"}' }];
    const expected = await runAll(fresh, bytes, runs);
    for (const _time of ["empty", "filled"]) {
      expect(await inSandbox({ cache }, (sandbox) => runAll(sandbox, bytes, runs))).toEqual(expected);
    }
    expect(expected).toMatchObject([{ logs: [{ message: '{"é":"😀"}' }] }]);
  });
});

describe("a cache", () => {
  test("spares the thread that loads modules", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = await emptyCache();
    const started = () => inSandbox({ cache }, (sandbox) => threadsStartedBy(() => load(sandbox, bytes)));
    expect(await started()).toBe(1);
    expect(await started()).toBe(0);
  });

  test("is asked for what this very code made of these very bytes", async () => {
    const keys: string[] = [];
    class Watched extends ArtefactCache {
      override get(key: string) {
        keys.push(key);
        return super.get(key);
      }
    }
    const bytes = await hookComponent(echoGuest);
    const cache = new Watched(join(await folder(), "cache"));
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    expect(keys).toEqual([expect.stringContaining(sha256(bytes))]);
    expect(keys).toEqual([expect.stringContaining(codeId() ?? "no id")]);
  });

  test("keeps a module apart for each cap on its memory", async () => {
    const bytes = await hookComponent(
      guest({
        handle:
          "(call $answer (i32.const 0) (i32.const 0) (i32.sub (memory.grow (i32.const 9)) (i32.const 1)))",
      }),
    );
    const cache = await emptyCache();
    const grows = (pages: number) =>
      inSandbox({ cache }, async (sandbox) => {
        const memoryBytes = pages * 65_536;
        return codeOf(
          await runModule(sandbox, await load(sandbox, bytes, memoryBytes), { limits: { memoryBytes } }),
        );
      });
    for (const _time of ["empty", "filled"]) {
      expect(await grows(10)).toBe("ok");
      expect(await grows(9)).not.toBe("ok");
    }
    expect(await cache.contents()).toMatchObject({ artefacts: 2 });
  });

  test("keeps nothing of a module that is refused, by us or by the engine", async () => {
    const cache = await emptyCache();
    const core = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
    const invalid = await componentFromWat(`(component ${handlerText()} (core module (func i32.const 1)))`);
    for (const _time of [1, 2]) {
      await inSandbox({ cache }, async (sandbox) => {
        await expect(load(sandbox, core)).rejects.toMatchObject({ code: "core-module" });
        await expect(load(sandbox, invalid)).rejects.toMatchObject({ code: "module-refused" });
      });
    }
    expect(await cache.contents()).toEqual({ artefacts: 0, bytes: 0 });
  });

  test("has the engine look at every module of a component again, used or not", async () => {
    const bytes = await componentFromWat(
      `(component ${handlerText()} (core module (func (export "unused"))))`,
    );
    const cache = await emptyCache();
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    using compile = vi.spyOn(WebAssembly, "Module");
    const { guest } = await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    expect(compile).toHaveBeenCalledTimes(2);
    expect(guest).toMatchObject({ cores: [{}] });
  });

  test("is passed over where the engine does not compile what is in it", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = await emptyCache();
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    using compile = vi.spyOn(WebAssembly, "Module").mockImplementation(function refuse() {
      throw new WebAssembly.CompileError("of another engine");
    });
    const run = await inSandbox({ cache }, async (sandbox) =>
      runModule(sandbox, await load(sandbox, bytes), { event: "{}" }),
    );
    expect(outputOf(run)).toBe("{}");
    expect(compile).toHaveBeenCalled();
  });

  test("loads nothing more once its sandbox is closed, not even what is in it", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = await emptyCache();
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    const sandbox = new Sandbox({ cache });
    const underWay = load(sandbox, bytes);
    await Promise.all([sandbox.close(), expect(underWay).rejects.toMatchObject({ code: "closed" })]);
    await expect(load(sandbox, bytes)).rejects.toMatchObject({ code: "closed" });
  });

  test("that is damaged is healed by the next load", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = await emptyCache();
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    const [name = ""] = await readdir(cache.folder);
    const whole = readFileSync(join(cache.folder, name));
    await writeFile(join(cache.folder, name), whole.subarray(0, whole.length - 1));
    expect(await inSandbox({ cache }, (sandbox) => runAll(sandbox, bytes, [{ event: "{}" }]))).toEqual(
      await runAll(fresh, bytes, [{ event: "{}" }]),
    );
    expect(readFileSync(join(cache.folder, name))).toEqual(whole);
  });

  test("is of no use to the other way of linking, nor filled by it", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = await emptyCache();
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    await cache.clear();
    const { guest } = await inSandbox({ cache, linking: "transpiled" }, (sandbox) => load(sandbox, bytes));
    expect(guest).toHaveProperty("glue");
    expect(await cache.contents()).toMatchObject({ artefacts: 0 });
    await inSandbox({ cache }, (sandbox) => load(sandbox, bytes));
    const again = await inSandbox({ cache, linking: "transpiled" }, (sandbox) => load(sandbox, bytes));
    expect(again.guest).toHaveProperty("glue");
  });

  test("that cannot be written makes no difference", async () => {
    const bytes = await hookComponent(echoGuest);
    const cache = new ArtefactCache("/dev/null/cache");
    const run = () => inSandbox({ cache }, (sandbox) => runAll(sandbox, bytes, [{ event: "{}" }]));
    expect(await run()).toEqual(await run());
    expect(await run()).toEqual(await runAll(fresh, bytes, [{ event: "{}" }]));
  });
});
