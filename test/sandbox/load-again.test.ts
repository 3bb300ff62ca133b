import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { Sandbox } from "#src/sandbox/sandbox";
import { hookComponent } from "../support/components.js";
import { constGuest } from "../support/guests.js";

const sandbox = new Sandbox();
const home = process.cwd();
afterEach(async () => {
  process.chdir(home);
  await sandbox.close();
});

test("a load that failed of its surroundings is tried again, and a module that was refused is not", async () => {
  const fine = await hookComponent(constGuest("{}"));
  const core = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const gone = await mkdtemp(join(tmpdir(), "wasmhook-gone-"));
  process.chdir(gone);
  await rm(gone, { recursive: true });
  await expect(sandbox.load(fine, "fine", DEFAULT_LIMITS)).rejects.toMatchObject({
    code: "worker-died",
    message:
      "the wasmhook loader cannot start where the current directory is gone: change to one that is there",
  });
  process.chdir(home);
  expect(await sandbox.load(fine, "fine", DEFAULT_LIMITS)).toMatchObject({ id: "fine/1024" });

  const refused = sandbox.load(core, "core", DEFAULT_LIMITS);
  await expect(refused).rejects.toMatchObject({ code: "core-module" });
  expect(sandbox.load(core, "core", DEFAULT_LIMITS)).toBe(refused);
});
