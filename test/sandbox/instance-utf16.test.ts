import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { Sandbox, type SandboxRun } from "#src/sandbox/sandbox";
import { utf16HookComponent } from "../support/components.js";
import { echoGuest, guest, logGuest } from "../support/guests.js";
import { codeOf, outputOf, type RunOptions, runModule } from "./run-guest.js";

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

/** Runs a guest whose strings are UTF-16: lengths count code units. */
async function runUtf16(wat: string, options: RunOptions = {}): Promise<SandboxRun> {
  const module = await sandbox.load(await utf16HookComponent(wat), wat, DEFAULT_LIMITS);
  return await runModule(sandbox, module, options);
}

describe("guests whose strings are UTF-16", () => {
  const texts: [name: string, text: string][] = [
    ["the empty text", ""],
    ["NUL", "a\0b"],
    ["every plane", "aé߿ࠀ￿😀\u{10ffff}"],
    ["a byte order mark at the start", "\ufeff{}"],
    ["a page of astral characters", "😀".repeat(32_768)],
  ];
  test.each(texts)("%s comes back as it went in", async (_name, text) => {
    expect(outputOf(await runUtf16(echoGuest, { event: text }))).toBe(text);
  });

  test("a log line is cut between characters", async () => {
    const run = await runUtf16(logGuest, { event: "a😀😀", limits: { logsBytes: 8 } });
    expect(run.logs[0]).toEqual({ level: "info", message: "a😀" });
    expect(run.logs).toHaveLength(2);
  });

  test("the output's limit counts what its text takes as UTF-8", async () => {
    const limits = { outputBytes: 9 };
    const exact = await runUtf16(echoGuest, { event: "中中中", limits });
    const over = await runUtf16(echoGuest, { event: "中中é中", limits });
    expect([codeOf(exact), codeOf(over)]).toEqual(["ok", "output-too-large"]);
  });

  test("half of a surrogate pair is no text", async () => {
    const wat = guest({
      fields: '(data (i32.const 1024) "a\\00\\3d\\d8")',
      textBytes: 4,
      handle: "(call $answer (i32.const 0) (i32.const 1024) (i32.const 2))",
    });
    expect(codeOf(await runUtf16(wat))).toBe("bad-output");
  });

  test("an answer outside of the memory is a failure", async () => {
    const wat = guest({ handle: "(call $answer (i32.const 0) (i32.const 0) (i32.const 0x7fffffff))" });
    expect(codeOf(await runUtf16(wat))).toBe("bad-output");
  });
});
