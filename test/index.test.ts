import { expect, expectTypeOf, test } from "vitest";
import * as acp from "#src/acp";
import * as api from "#src/index";

test("the public API is these names, and no other", () => {
  expect(Object.keys(api).sort()).toEqual([
    "DEFAULT_LIMITS",
    "DEFAULT_MODULE_LIMITS",
    "WasmhookError",
    "blockedPrompt",
    "deedLines",
    "deniedLine",
    "deniedTitle",
    "formatProblem",
    "gate",
    "loadHooks",
    "noticeLine",
    "printableLine",
    "promptGate",
    "runLine",
    "subjectOf",
    "withContext",
  ]);
  expect(Object.keys(acp).sort()).toEqual(["deniedUpdate", "runUpdate"]);
});

test("what is loaded is a chain for the gates, and closes itself", () => {
  expectTypeOf<api.Hooks>().toExtend<api.HookChain>();
  expectTypeOf<api.Hooks>().toExtend<AsyncDisposable>();
  expectTypeOf(api.loadHooks).returns.resolves.toEqualTypeOf<api.Hooks>();
});

test("an outcome says by its type what it may hold", () => {
  expectTypeOf<api.Outcome["decision"]>().toEqualTypeOf<"none" | "allow" | "ask" | "deny" | "stop">();
  expectTypeOf<api.Outcome["input"]>().toEqualTypeOf<api.JsonObject | undefined>();
  expectTypeOf<NonNullable<api.Run["error"]>>().toEqualTypeOf<{ code: api.ErrorCode; message: string }>();
});

test("a gate takes a tool's output or its error, and tells what became of the call", () => {
  expectTypeOf<Awaited<ReturnType<api.GateOptions["run"]>>>().toEqualTypeOf<
    { output: string } | { error: string }
  >();
  expectTypeOf<api.GatedCall["status"]>().toEqualTypeOf<
    "ran" | "failed" | "refused" | "denied" | "declined"
  >();
  // @ts-expect-error a gate without hooks
  expectTypeOf(api.gate).toBeCallableWith({ run: async () => ({ output: "" }) });
});

test("an error's data is that of its code", () => {
  expectTypeOf<api.WasmhookError<"deadline">["data"]>().toEqualTypeOf<{ deadlineMs: number }>();
  expectTypeOf<api.WasmhookError["code"]>().toEqualTypeOf<api.ErrorCode>();
});
