import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import type { ModuleLimits } from "#src/hooks/module-limits";
import { ArtefactCache } from "#src/sandbox/cache/artefact-cache";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
import { type GuestHost, Sandbox } from "#src/sandbox/sandbox";
import { folder } from "../support/cli.js";
import { componentFromWat, hookComponent } from "../support/components.js";
import { echoGuest, guest } from "../support/guests.js";
import { handlerText } from "../support/handler.js";
import { outputOf, runModule } from "./run-guest.js";

const tables = (count: number) =>
  hookComponent(
    guest({
      fields: "(table 1 funcref) ".repeat(count),
      handle: "(call $answer (i32.const 0) (local.get $ptr) (local.get $len))",
    }),
  );
const nested = (depth: number) =>
  componentFromWat(`(component ${handlerText()} ${"(component ".repeat(depth - 1)}${")".repeat(depth)}`);

/** Loads a module that may have this. */
function load<Module>(
  host: GuestHost<Module>,
  bytes: Uint8Array,
  module?: Partial<ModuleLimits>,
): Promise<Module> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const { memoryBytes } = DEFAULT_LIMITS;
  return host.load(bytes, sha256, module === undefined ? { memoryBytes } : { memoryBytes, module });
}

testIn("linked directly", new Sandbox());
testIn("linked by the transpiler", new Sandbox({ linking: "transpiled" }));
testIn("in a process of its own", new SandboxProcesses());

function testIn<Module>(how: string, host: GuestHost<Module>): void {
  describe(`a module that is ${how}`, () => {
    afterAll(() => host.close());

    test("is refused where it has more than its hook lets it", async () => {
      const bytes = await hookComponent(echoGuest);
      for (const _time of [1, 2]) {
        await expect(load(host, bytes, { exports: 2 })).rejects.toMatchObject({
          code: "module-refused",
          data: { limit: "exports" },
        });
        expect(outputOf(await runModule(host, await load(host, bytes), { event: "{}" }))).toBe("{}");
      }
    });

    test("may have more than others where its hook lets it", async () => {
      const bytes = await tables(20);
      await expect(load(host, bytes)).rejects.toMatchObject({ data: { limit: "tables" } });
      const module = await load(host, bytes, { tables: 20 });
      expect(outputOf(await runModule(host, module, { event: "{}" }))).toBe("{}");
    });

    test("may nest deeper than others where its hook lets it", async () => {
      const bytes = await nested(12);
      await expect(load(host, bytes)).rejects.toMatchObject({ data: { limit: "componentDepth" } });
      await expect(load(host, bytes, { componentDepth: 12 })).resolves.toBeDefined();
    });
  });
}

test("a module from the cache is held to the limits of the hook that asks for it", async () => {
  const cache = new ArtefactCache(join(await folder(), "cache"));
  const bytes = await tables(20);
  for (const _time of ["empty", "filled"]) {
    const sandbox = new Sandbox({ cache });
    await load(sandbox, bytes, { tables: 20 });
    await load(sandbox, bytes, { tables: 21 });
    await expect(load(sandbox, bytes)).rejects.toMatchObject({ data: { limit: "tables" } });
    await sandbox.close();
    expect(await cache.contents()).toMatchObject({ artefacts: 2 });
  }
});
