import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildHook } from "#src/build/build-hook";
import { writeAtomically } from "#src/build/write-atomically";
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
export function testEvents({ folder, outcomeOf }: ReturnType<typeof builtExample>): void {
  const events = readdirSync(`${folder}events`).filter((file) => !file.endsWith(".expected.json"));
  expect(events.length).toBeGreaterThan(0);
  it.each(events.map((file) => file.replace(".json", "")))(
    "answers events/%s.json as is expected",
    async (event) => {
      const read = (file: string) => JSON.parse(readFileSync(`${folder}events/${file}`, "utf8"));
      const { runs, notices, ...outcome } = await outcomeOf(read(`${event}.json`));
      const known = notices.length === 0 ? outcome : { ...outcome, notices };
      expect(known).toEqual(read(`${event}.expected.json`));
      expect(runs.length).toBeLessThanOrEqual(1);
    },
  );
}

/** A call of a tool that runs commands. */
export function bash(command: unknown, over: object = {}): HookEvent {
  return { event: "preToolCall", cwd: "/work", tool: { name: "bash", input: { command, ...over } as never } };
}
