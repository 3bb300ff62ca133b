import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildHook } from "#src/build/build-hook";
import { writeAtomically } from "#src/build/write-atomically";
import { casesIn } from "#src/cli/test/case-files";
import { expectedOf, readExpected } from "#src/cli/test/expected";
import { type HookEvent, type Hooks, loadHooks, type Outcome } from "#src/index";
import { type RunningComponent, runComponent } from "../support/run-component.js";

const FOLDER = new URL("../../guest-examples/", import.meta.url);

/** An example hook, built anew before the tests of a file. */
export function builtExample(name: string) {
  const folder = fileURLToPath(new URL(`${name}/`, FOLDER));
  let guest: RunningComponent;
  let hooks: Hooks;
  beforeAll(async () => {
    const { bytes } = await buildHook(`${folder}hook.ts`);
    await writeAtomically(`${folder}build/${name}.wasm`, bytes);
    guest = runComponent(bytes);
    hooks = await loadHooks(`${folder}agent.yaml`);
    expect(hooks.problems).toEqual([]);
  });
  afterAll(async () => {
    await guest[Symbol.asyncDispose]();
    await hooks.close();
  });
  return {
    folder,
    /** Runs an event through the component alone. */
    run: (...args: Parameters<RunningComponent["run"]>) => guest.run(...args),
    /** Runs an event through the example's own `agent.yaml`. */
    outcomeOf: (event: HookEvent): Promise<Outcome> => hooks.run(event),
  };
}

/** That the example's `hooks.json` declares it as well. */
export function testHooksJson({ folder }: ReturnType<typeof builtExample>): void {
  it("is declared in hooks.json too", async () => {
    await using hooks = await loadHooks(`${folder}hooks.json`);
    expect(hooks.problems).toEqual([]);
    expect(hooks.config.dialect).toBe("mnemoai");
    for (const hook of hooks.hooks) await hooks.prepare(hook);
    expect(hooks.hooks).toHaveLength(1);
  });
}

/** One test for each event to try: what it comes to is what stands beside it. */
export async function testEvents({ folder, outcomeOf }: ReturnType<typeof builtExample>): Promise<void> {
  it.each(await casesIn(`${folder}events`))(
    "answers events/$name.json as is expected",
    async ({ eventFile, expectedFile }) => {
      const outcome = await outcomeOf(JSON.parse(await readFile(eventFile, "utf8")));
      expect(expectedOf(outcome)).toEqual(await readExpected(expectedFile));
      expect(outcome.runs.length).toBeLessThanOrEqual(1);
    },
  );
}

/** A call of a tool that runs commands. */
export function bash(command: unknown, over: object = {}): HookEvent {
  return { event: "preToolCall", cwd: "/work", tool: { name: "bash", input: { command, ...over } as never } };
}
