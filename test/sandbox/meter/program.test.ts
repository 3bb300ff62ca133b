import { parse, print } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { meterModule } from "#src/sandbox/meter";
import { TestTank } from "../../support/metered.js";

type Tools = {
  $init: Promise<void>;
  tools: { parse(text: string): Uint8Array; print(bytes: Uint8Array): string };
};

const CAPS = { memoryPages: 4096, tableElements: 100_000 };
const TEXT = `(module (memory 1) ${"(func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))".repeat(200)})`;

interface AsyncEngine {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  instantiate(module: WebAssembly.Module, imports?: WebAssembly.Imports): Promise<WebAssembly.Instance>;
}

/** A copy of a big program in Rust (jco's own tools) of which all core modules are metered. */
async function meteredTools(tank: TestTank): Promise<Tools["tools"]> {
  const engine = WebAssembly as unknown as AsyncEngine;
  const { compile, instantiate } = engine;
  engine.compile = (bytes) => compile(meterModule(new Uint8Array(bytes), CAPS).bytes);
  engine.instantiate = (module, imports) => instantiate(module, { ...imports, ...tank.imports });
  try {
    const entry = import.meta.resolve("@bytecodealliance/jco-transpile/wasm-tools");
    // A query makes it another module, which is evaluated afresh.
    const copy = new URL(`../vendor/wasm-tools.js?${performance.now()}`, entry).href;
    const { $init, tools } = (await import(/* @vite-ignore */ copy)) as Tools;
    await $init;
    return tools;
  } finally {
    Object.assign(engine, { compile, instantiate });
  }
}

describe("a big program, metered", () => {
  test("computes what it computes unmetered", async () => {
    const tank = new TestTank({ pages: 4000, elements: 100_000 });
    const tools = await meteredTools(tank);
    const bytes = tools.parse(TEXT);
    expect(bytes).toEqual(await parse(TEXT));
    expect(tools.print(bytes)).toBe(await print(bytes));
    expect(tank.used).toBeGreaterThan(1_000_000);
  });

  test("stops where its fuel ends, and stays stopped", async () => {
    const tank = new TestTank({ fuel: 200_000, pages: 4000, elements: 100_000 });
    const tools = await meteredTools(tank);
    expect(() => tools.parse(TEXT)).toThrow(WebAssembly.RuntimeError);
    expect(tank.left).toBeLessThan(0);
    expect(() => tools.print(new Uint8Array(8))).toThrow();
  });
});
