import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { Sandbox, type SandboxModule, type SandboxRun } from "#src/sandbox/sandbox";

let sandbox = new Sandbox({ workers: 1 });
afterEach(async () => {
  await sandbox.close();
  sandbox = new Sandbox({ workers: 1 });
});

/** Runs an expression where glue runs, as if the transpiler had been talked into writing it. */
function moduleOf(expression: string, id = expression): SandboxModule {
  const glue = `(function (realm) { "use strict";
    return (getCoreModule, imports) => ({ handler: { handle: (event) => String(${expression}) } }); })`;
  return { id, guest: { glue, cores: [] } };
}

async function evaluate(expression: string, id?: string): Promise<SandboxRun["result"]> {
  const limits = { ...DEFAULT_LIMITS, deadlineMs: 5000 };
  return (await sandbox.run(moduleOf(expression, id), { event: "{}", config: "null", limits })).result;
}

const AUTHORITY = [
  "process",
  "require",
  "fetch",
  "Buffer",
  "setTimeout",
  "queueMicrotask",
  "WebSocket",
  "Worker",
  "MessageChannel",
  "BroadcastChannel",
  "navigator",
  "localStorage",
  "crypto",
  "performance",
];

describe("the realm that glue is evaluated in", () => {
  test("it evaluates what the transpiler writes", async () => {
    expect(await evaluate("event + 1")).toEqual({ ok: "{}1" });
  });

  test.each(AUTHORITY)("it has no %s", async (name) => {
    expect(await evaluate(`typeof ${name} + typeof globalThis.${name}`)).toEqual({
      ok: "undefinedundefined",
    });
  });

  test("it has nothing but the language, and cannot make code from text", async () => {
    const known = new Set(Object.getOwnPropertyNames(globalThis));
    const result = await evaluate("Object.getOwnPropertyNames(globalThis).join()");
    const names = "ok" in result ? result.ok.split(",") : [];
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(await evaluate("eval('1')")).toMatchObject({ failure: { code: "bad-output" } });
    expect(await evaluate("new Function('return 1')()")).toMatchObject({ failure: { code: "bad-output" } });
    expect(
      await evaluate("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"),
    ).toMatchObject({
      failure: { code: "bad-output" },
    });
  });

  test("importing a module of Node is refused", async () => {
    const seen =
      "globalThis.outcome ??= (import('node:fs').then(() => { globalThis.outcome = 'imported' }, (error) => { globalThis.outcome = error.name }), 'asked')";
    expect(await evaluate(seen, "import")).toEqual({ ok: "asked" });
    expect(await evaluate(seen, "import")).not.toEqual({ ok: "imported" });
  });

  test.each(["process", "require", "fetch", "Buffer", "setTimeout", "WebSocket"])(
    "the realm around it, should glue reach that, has no %s either",
    async (name) => {
      const outer = `realm.TextDecoder.constructor("return typeof ${name}")()`;
      expect(await evaluate(outer)).toEqual({ ok: "undefined" });
    },
  );

  test.each([
    "Object.prototype",
    "Array.prototype",
    "Map.prototype",
    "Promise.prototype",
    "Error.prototype",
    "Function.prototype",
    "WebAssembly.Instance.prototype",
    "JSON",
    "Object",
    "(function* () {}).constructor.prototype.prototype",
    "(async () => {}).constructor.prototype",
    "(async function* () {}).constructor.prototype.prototype",
    "Object.getPrototypeOf([][Symbol.iterator]())",
  ])("its %s cannot be changed", async (name) => {
    expect(await evaluate(`Object.isFrozen(${name})`)).toEqual({ ok: "true" });
  });

  test("nothing that one component does to it is seen by another", async () => {
    expect(await evaluate("globalThis.left = 'here'", "first")).toEqual({ ok: "here" });
    expect(await evaluate("globalThis.left", "second")).toEqual({ ok: "undefined" });
  });
});

describe("glue that misbehaves", () => {
  test.each([
    ["loops for ever", "(() => { for (;;) {} })()", "deadline"],
    ["recurses for ever", "(function again() { return again() + 1; })()", "stack-exhausted"],
    ["throws what is no error", "(() => { throw { get message() { throw 1; } }; })()", "trap"],
  ])("it %s: a failed run, and the next is answered", async (_what, expression, code) => {
    const limits = { ...DEFAULT_LIMITS, deadlineMs: code === "deadline" ? 500 : 20_000 };
    const run = await sandbox.run(moduleOf(expression), { event: "{}", config: "null", limits });
    expect(run.result).toMatchObject({ failure: { code } });
    expect(await evaluate("event")).toEqual({ ok: "{}" });
  });
});
