import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { afterAll, describe, expect, test, vi } from "vitest";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { compileCore, meterCore } from "#src/sandbox/compile-core";
import type { CoreModule } from "#src/sandbox/core-instance";
import { lackedFeature } from "#src/sandbox/engine-features";
import { Sandbox } from "#src/sandbox/sandbox";
import { componentFromWat } from "../support/components.js";
import { echoGuest, guest } from "../support/guests.js";
import { handlerText } from "../support/handler.js";
import { outputOf, runGuest, runModule } from "./run-guest.js";

const CAPS = { memoryPages: 10, tableElements: 10 };

/** Modules that need a feature of their engine, by what messages call it. */
const USES: [feature: string, fields: string][] = [
  ["extended constants", "(global i32 (i32.add (i32.const 1) (i32.const 2)))"],
  ["extended constants", '(memory 1) (data (i32.mul (i32.const 4) (i32.const 2)) "a")'],
  ["extended constants", "(table 9 funcref) (elem (i32.sub (i32.const 4) (i32.const 2)) $f) (func $f)"],
  ["several memories", "(memory 1) (memory 1)"],
  ["exceptions (try_table, exnref)", "(func (block $b (try_table (catch_all $b) (nop))))"],
  ["exceptions (try_table, exnref)", "(func (param exnref) (throw_ref (local.get 0)))"],
  ["exceptions (try_table, exnref)", "(func (local exnref))"],
  ["exceptions of the older encoding", "(func try nop catch_all end)"],
  ["tail calls", "(func $f (return_call $f))"],
  ["tail calls", "(type $t (func)) (table 1 funcref) (func (return_call_indirect (type $t) (i32.const 0)))"],
  ["SIMD", "(func (drop (v128.const i64x2 0 0)))"],
  ["SIMD", '(global (export "g") (mut v128) (v128.const i64x2 0 0))'],
];

function compiled(bytes: Uint8Array): CoreModule {
  return compileCore(meterCore(bytes, CAPS, false), bytes);
}

describe("a feature that the engine may lack", () => {
  test.each(USES)(
    "%s: %s is named with the engines that have it where this one lacks it",
    async (feature, fields) => {
      const bytes = await parse(`(module ${fields})`);
      using _ = vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
      const lacked = lackedFeature(bytes);
      expect(lacked).toMatchObject({ code: "feature-refused", data: { feature } });
      expect(lacked?.message).toMatch(/from Node \d+(\.\d+)?( or \d+)? \(V8 \d+\.\d+\)/);
    },
  );

  test.each(USES)("%s: %s compiles, or the error says that this engine has none", async (feature, fields) => {
    const bytes = await parse(`(module ${fields})`);
    if (WebAssembly.validate(bytes)) expect(compiled(bytes)).toHaveProperty("module");
    else
      expect(() => compiled(bytes)).toThrow(
        expect.objectContaining({ code: "feature-refused", data: { feature } }),
      );
  });

  test("is not to blame where a module is not valid, or uses what the engine has", async () => {
    const invalid = await parse("(module (func i32.const 1))");
    expect(() => compiled(invalid)).toThrow(expect.objectContaining({ code: "module-refused" }));
    using _ = vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
    expect(lackedFeature(invalid)).toBeUndefined();
  });

  test("each probe is valid on an engine that has everything", async () => {
    const seen: boolean[] = [];
    const { validate } = WebAssembly;
    using _ = vi.spyOn(WebAssembly, "validate").mockImplementation((bytes) => {
      seen.push(validate(bytes));
      return true;
    });
    lackedFeature(await parse("(module)"));
    const supported = await Promise.all(
      USES.map(async ([, fields]) => validate(await parse(`(module ${fields})`))),
    );
    const byFeature = new Map(USES.map(([feature], i) => [feature, supported[i]]));
    expect(seen).toEqual([...byFeature.values()]);
  });
});

describe("guests that need more than the transpiler takes", () => {
  const direct = new Sandbox({ linking: "direct" });
  afterAll(() => direct.close());

  /** Runs a guest where the engine has what it needs; says what the error must be where it does not. */
  async function answered(wat: string, feature: string, event = "{}"): Promise<string> {
    const load = runGuest(direct, wat, { event });
    if (WebAssembly.validate(await parse(wat))) return outputOf(await load);
    await expect(load).rejects.toMatchObject({ code: "feature-refused", data: { feature } });
    return event;
  }

  const ECHO = "(call $answer (i32.const 0) (local.get $ptr) (local.get $len))";

  test("a handler of the older encoding catches what the guest throws", async () => {
    const wat = guest({
      fields: "(tag $e (param i32))",
      handle: `try (result i32) (throw $e (i32.const 3)) catch $e end drop ${ECHO}`,
    });
    expect(WebAssembly.validate(await parse(wat))).toBe(true);
    expect(await answered(wat, "")).toBe("{}");
  });

  test("try_table catches what the guest throws", async () => {
    const handle = `(block $caught (result i32) (try_table (catch $e $caught) (throw $e (i32.const 3))) (unreachable)) (drop) ${ECHO}`;
    const wat = guest({ fields: "(tag $e (param i32))", handle });
    expect(await answered(wat, "exceptions (try_table, exnref)")).toBe("{}");
  });

  test("a second memory is the guest's own, and counts", async () => {
    const wat = guest({
      fields: "(memory $more 2)",
      handle: `(memory.copy $more 0 (i32.const 70000) (local.get $ptr) (local.get $len))
        (memory.fill (local.get $ptr) (i32.const 0) (local.get $len))
        (memory.copy 0 $more (local.get $ptr) (i32.const 70000) (local.get $len)) ${ECHO}`,
    });
    expect(await answered(wat, "several memories", "two memories")).toBe("two memories");
    if (!WebAssembly.validate(await parse(wat))) return;
    expect((await runGuest(direct, wat)).peakMemoryBytes).toBe(3 * 65_536);
  });

  test("a tag that two core modules share is one and the same", async () => {
    const text = `(component
      (core module $t (tag $e (export "e") (param i32)) (func (export "throw") (throw $e (i32.const 7))))
      (core instance $t (instantiate $t))
      ${guest({
        imports: '(import "t" "e" (tag $e (param i32))) (import "t" "throw" (func $throw))',
        handle: `try (result i32) (call $throw) (i32.const 0) catch $e end (i32.const 7) i32.ne (if (then unreachable)) ${ECHO}`,
      }).replace("(module", "(core module $m")}
      (core instance $main (instantiate $m (with "t" (instance $t))))
      (func $handle (param "event" string) (result (result string (error string)))
        (canon lift (core func $main "wasmhook:hook/handler@1.0.0#handle")
          (memory (core memory $main "memory")) (realloc (core func $main "cabi_realloc"))))
      (instance $h (export "handle" (func $handle))) (export "wasmhook:hook/handler@1.0.0" (instance $h)))`;
    const module = await direct.load(await componentFromWat(text), "tag", DEFAULT_LIMITS);
    expect(outputOf(await runModule(direct, module))).toBe("{}");
  });

  test("an exception that passes a module without tags leaves unpaid what it skips there", async () => {
    const fuel = async (skipped: string) => {
      const text = `(component
          (core module $t (tag $e) (func (export "throw") (throw $e)))
          (core instance $t (instantiate $t))
          (core module $passed
            (import "t" "throw" (func $throw))
            (func (export "call") (call $throw) ${skipped}))
          (core instance $passed (instantiate $passed (with "t" (instance $t))))
          ${guest({
            imports: '(import "p" "call" (func $call))',
            handle: `try (call $call) catch_all end ${ECHO}`,
          }).replace("(module", "(core module $m")}
          (core instance $main (instantiate $m (with "p" (instance $passed))))
          (func $handle (param "event" string) (result (result string (error string)))
            (canon lift (core func $main "wasmhook:hook/handler@1.0.0#handle")
              (memory (core memory $main "memory")) (realloc (core func $main "cabi_realloc"))))
          (instance $h (export "handle" (func $handle))) (export "wasmhook:hook/handler@1.0.0" (instance $h)))`;
      const module = await direct.load(await componentFromWat(text), skipped, DEFAULT_LIMITS);
      const run = await runModule(direct, module);
      expect(outputOf(run)).toBe("{}");
      return run.fuelUsed;
    };
    expect(await fuel("(drop (i32.const 1))".repeat(50))).toBe(await fuel(""));
  });

  test("the next component is loaded after one that was refused", async () => {
    const invalid = await componentFromWat(`(component ${handlerText()} (core module (func i32.const 1)))`);
    const refused = direct.load(invalid, "invalid", DEFAULT_LIMITS);
    await expect(refused).rejects.toMatchObject({ code: "module-refused" });
    expect(outputOf(await runGuest(direct, echoGuest))).toBe("{}");
  });
});
