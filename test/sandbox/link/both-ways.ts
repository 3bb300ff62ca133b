import { afterAll } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { Sandbox, type SandboxRun } from "#src/sandbox/sandbox";
import { type RunOptions, runModule } from "../run-guest.js";

export type ComparableRun = Omit<SandboxRun, "durationMs">;

/** Runs components as they are linked by us, and as the transpiler links them. For the tests of one file. */
export function bothWays() {
  const direct = new Sandbox({ linking: "direct" });
  const transpiled = new Sandbox({ linking: "transpiled" });
  afterAll(async () => void (await Promise.all([direct.close(), transpiled.close()])));
  let loads = 0;
  return async (bytes: Uint8Array, ...runs: RunOptions[]): Promise<[ComparableRun[], ComparableRun[]]> => {
    const digest = `${loads++}`;
    const runAll = async (sandbox: Sandbox) => {
      const module = await sandbox.load(bytes, digest, DEFAULT_LIMITS);
      const done: ComparableRun[] = [];
      for (const options of runs) {
        const { durationMs: _, ...run } = await runModule(sandbox, module, options);
        done.push(run);
      }
      return done;
    };
    return [await runAll(direct), await runAll(transpiled)];
  };
}
