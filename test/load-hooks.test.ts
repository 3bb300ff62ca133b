import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { type HookEvent, type Hooks, type LoadHooksOptions, loadHooks } from "#src/index";
import { component, mmAgent } from "./e2e/hooks.js";
import { childrenOf } from "./support/child-processes.js";
import { constGuest } from "./support/guests.js";

const CALL: HookEvent = { event: "preToolCall", cwd: tmpdir(), tool: { name: "bash", input: {} } };
const AGENT = await mmAgent({ preToolCall: [{ wasm: await component(constGuest('{"action":"deny"}')) }] });

let hooks: Hooks | undefined;
afterEach(() => hooks?.close());

test.each<[where: string, LoadHooksOptions, started: number]>([
  ["in a process of its own, unless the caller says otherwise", {}, 1],
  ["in a process of its own", { isolation: "process" }, 1],
  ["in a thread of this process", { isolation: "thread" }, 0],
])("a module runs %s", async (_where, options, started) => {
  const before = await childrenOf(process.pid);
  hooks = await loadHooks(AGENT, options);
  expect(await hooks.run(CALL)).toMatchObject({ decision: "deny" });
  expect((await childrenOf(process.pid)).length - before.length).toBe(started);
});
