import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { mm } from "#src/dialects/mm";
import type { HookEvent } from "#src/hooks/event";
import type { Hook, WasmSpec } from "#src/hooks/hook";
import type { JsonValue } from "#src/hooks/json";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { anyTool } from "#src/hooks/matcher";
import { ALL_GRANTS } from "#src/hooks/may";
import type { Answer } from "#src/runners/runner";
import { wasmRunner } from "#src/runners/wasm";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";
import { hookComponent } from "../support/components.js";
import {
  configGuest,
  constGuest,
  echoGuest,
  errGuest,
  logGuest,
  loopGuest,
  trapGuest,
} from "../support/guests.js";

const runner = wasmRunner(new SandboxProcesses(), mm);
afterAll(() => runner.close());

const EVENT: HookEvent = {
  event: "preToolCall",
  cwd: "/work",
  tool: { name: "bash", input: { command: "git push -f" } },
};

async function wasmHook(wat: string, over: Partial<WasmSpec> = {}): Promise<Hook> {
  return hookOf(await hookComponent(wat), over);
}

function hookOf(bytes: Uint8Array, over: Partial<WasmSpec> = {}): Hook {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = "/hooks/guard.wasm";
  return {
    id: "preToolCall[0]",
    moment: "preToolCall",
    matcher: anyTool(),
    runner: {
      kind: "wasm",
      wasm: "guard.wasm",
      file,
      bytes,
      sha256,
      config: null,
      limits: DEFAULT_LIMITS,
      ...over,
    },
    onError: "warn",
    may: ALL_GRANTS,
  };
}

function decisionOf(answer: Answer): unknown {
  if ("failure" in answer) throw answer.failure;
  return answer.decision;
}

function codeOf(answer: Answer): string {
  return "failure" in answer ? answer.failure.code : "ok";
}

describe("answers of wasm hooks", () => {
  test("a decision is read from the guest's JSON", async () => {
    const hook = await wasmHook(constGuest('{"action":"deny","reason":"no force push"}'));
    const answer = await runner.run(hook, EVENT);
    expect(decisionOf(answer)).toEqual({ action: "deny", reason: "no force push" });
  });

  test.each(["", "{}", " \n"])("the output %j is no opinion", async (output) => {
    expect(decisionOf(await runner.run(await wasmHook(constGuest(output)), EVENT))).toEqual({});
  });

  test("the guest gets the event as canonical JSON, fields of the agent's own included", async () => {
    const hook = await wasmHook(errEcho);
    const answer = await runner.run(hook, { ...EVENT, extra: { é: [1] } });
    const said = "failure" in answer && answer.failure.code === "guest-error" ? answer.failure.data : {};
    expect(JSON.parse((said as { guestMessage: string }).guestMessage)).toEqual({
      ...EVENT,
      extra: { é: [1] },
    });
  });

  test.each<JsonValue>([null, { paths: ["/etc", "é"] }, [], "text", 1])(
    "the guest reads its config %j",
    async (config) => {
      const hook = await wasmHook(configGuest, { config });
      const answer = await runner.run(hook, EVENT);
      const isObject = typeof config === "object" && config !== null && !Array.isArray(config);
      // Any JSON but an object is no decision; that its text came through is seen in the error.
      if (isObject) expect(codeOf(answer)).toBe("bad-decision");
      else expect("failure" in answer && answer.failure.message).toMatch(/object/);
    },
  );

  test("the record has the fuel, the peak of memory, the log and the duration", async () => {
    const answer = await runner.run(await wasmHook(logGuest), EVENT);
    expect(answer).toMatchObject({
      peakMemoryBytes: 65_536,
      logs: [{ level: "info", message: JSON.stringify(EVENT) }],
    });
    expect(answer.fuel).toBeGreaterThan(0);
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  test("a field that no decision has is told, and the rest holds", async () => {
    const hook = await wasmHook(constGuest('{"action":"deny","reasen":"typo"}'));
    expect(await runner.run(hook, EVENT)).toMatchObject({
      decision: { action: "deny" },
      notices: [{ kind: "warning", text: expect.stringContaining("reason") }],
    });
  });
});

const errEcho = echoGuest.replace("(call $answer (i32.const 0)", "(call $answer (i32.const 1)");

describe("failures of wasm hooks", () => {
  test.each([
    ["traps", trapGuest, "trap"],
    ["loops for ever", loopGuest, "out-of-fuel"],
    ["says that it failed", errGuest("no config"), "guest-error"],
    ["answers what is no JSON", constGuest("deny"), "bad-decision"],
    ["answers two documents", constGuest("{}{}"), "bad-decision"],
    ["answers an array", constGuest("[]"), "bad-decision"],
    ["decides what its moment does not allow", constGuest('{"action":"stop"}'), "bad-decision"],
  ])("a hook that %s has failed", async (_what, wat, code) => {
    expect(codeOf(await runner.run(await wasmHook(wat), EVENT))).toBe(code);
  });

  test("the figures of a failed run are kept", async () => {
    const hook = await wasmHook(loopGuest, { limits: { ...DEFAULT_LIMITS, fuel: 1000 } });
    expect(await runner.run(hook, EVENT)).toMatchObject({ fuel: 1000, peakMemoryBytes: 65_536 });
  });

  test("a module that is refused is a failure of every event, and `prepare` says why", async () => {
    const hook = hookOf(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    expect(codeOf(await runner.run(hook, EVENT))).toBe("core-module");
    expect(codeOf(await runner.run(hook, EVENT))).toBe("core-module");
    await expect(runner.prepare(hook)).rejects.toMatchObject({ code: "core-module" });
  });

  test("`prepare` accepts a good module and runs nothing", async () => {
    await expect(runner.prepare(await wasmHook(trapGuest))).resolves.toBeUndefined();
  });

  test("a run can be aborted, while its module loads too", async () => {
    const own = wasmRunner(new SandboxProcesses(), mm);
    const loading = await own.run(await wasmHook(echoGuest), EVENT, AbortSignal.timeout(1));
    const looping = await wasmHook(loopGuest, {
      limits: { ...DEFAULT_LIMITS, fuel: Number.MAX_SAFE_INTEGER },
    });
    await own.prepare(looping);
    const running = await own.run(looping, EVENT, AbortSignal.timeout(200));
    await own.close();
    expect([codeOf(loading), codeOf(running)]).toEqual(["aborted", "aborted"]);
  });

  test("after `close` every run fails", async () => {
    const own = wasmRunner(new SandboxProcesses(), mm);
    await own.close();
    expect(codeOf(await own.run(await wasmHook(echoGuest), EVENT))).toBe("closed");
  });
});
