import { describe, expect, test } from "vitest";
import { loadHooks } from "#src/index";
import { runEvent, wasmhook } from "../support/cli.js";
import { guest } from "../support/guests.js";
import { component, hooksJson, mmAgent } from "./hooks.js";

/** Has twenty tables, four more than a module may have by default, and says so. */
const wasm = await component(
  guest({
    fields: `${"(table 1 funcref) ".repeat(20)} (data (i32.const 1024) "{\\"context\\":\\"twenty\\"}")`,
    textBytes: 20,
    handle: "(call $answer (i32.const 0) (i32.const 1024) (i32.const 20))",
  }),
);
const REFUSED = "The module has 20 tables";

const MM = { event: "preToolCall", cwd: "/", tool: { name: "bash", input: {} } } as const;
const MNEMOAI = { hook_event_name: "PreToolUse", cwd: "/", tool_name: "execute_bash", tool_input: {} };

const DIALECTS: [string, event: object, declare: (limits: object) => Promise<string>][] = [
  ["mm", MM, (limits) => mmAgent({ preToolCall: [{ wasm, ...limits }] })],
  ["mnemoai", MNEMOAI, (limits) => hooksJson({ PreToolUse: [{ wasm, ...limits }] })],
];

describe.each(DIALECTS)("what a module may have, in a file of %s,", (_dialect, event, declare) => {
  test("is raised by its hook, for a run and a check", async () => {
    const config = await declare({ limits: { module: { tables: 20 } } });
    expect((await runEvent(config, event)).outcome).toMatchObject({ context: "twenty", notices: [] });
    expect(await wasmhook(["check", "--config", config])).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("is not more than by default where nobody raises it", async () => {
    for (const limits of [{}, { limits: { module: { tables: 19 } } }]) {
      const { exitCode, stderr } = await wasmhook(["check", "--config", await declare(limits)]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(REFUSED);
      expect(stderr).toContain("or raise the limit tables (limits: module)");
    }
  });

  test("is raised by an embedder", async () => {
    const config = await declare({});
    await using hooks = await loadHooks(config, { limits: { module: { tables: 64 } } });
    expect(hooks.problems).toEqual([]);
    expect(await hooks.run(MM)).toMatchObject({ context: "twenty", notices: [] });
    await expect(loadHooks(config, { limits: { module: { tables: 65 } } })).rejects.toMatchObject({
      code: "usage",
      message: 'the limit "module.tables" is 65: give a whole number between 0 and 64',
    });
  });
});
