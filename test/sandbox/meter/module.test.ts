import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { meterModule } from "#src/sandbox/meter";
import { METER_NAMESPACE } from "#src/sandbox/meter-contract";
import {
  isSupported,
  meteredFunctions,
  meteredInstance,
  TEST_CAPS,
  TestTank,
} from "../../support/metered.js";

const customSection = (name: string) => [
  0,
  name.length + 1 + 2,
  name.length,
  ...new TextEncoder().encode(name),
  1,
  2,
];

async function withCustomSections(wat: string, ...names: string[]): Promise<Uint8Array> {
  return Uint8Array.from([...(await parse(wat)), ...names.flatMap(customSection)]);
}

function sectionNames(bytes: Uint8Array): (string | undefined)[] {
  return readCoreModule(bytes)
    .sections.filter(({ id }) => id === 0)
    .map(({ name }) => name);
}

async function limitsOf(fields: string, caps = { memoryPages: 10, tableElements: 100 }) {
  const { memories, tables } = readCoreModule(meterModule(await parse(`(module ${fields})`), caps).bytes);
  return { memories, tables };
}

/** Initialisers of the guest's own that name its own globals, each of them newer than the MVP. */
const INITIALISERS = {
  "extended constants": "(i32.add (global.get $b) (i32.mul (i32.const 2) (global.get $a)))",
  "globals that are not imported": "(global.get $own)",
};
const withInitialiser = (init: string) => `(module
  (import "host" "a" (global $a i32)) (import "host" "b" (global $b i32))
  (global $own i32 (i32.const 11)) (global (export "c") i32 ${init}))`;
const supported: string[] = [];
for (const [name, init] of Object.entries(INITIALISERS)) {
  if (await isSupported(withInitialiser(init))) supported.push(init);
  else
    process.stdout.write(
      `skipped: this engine has no ${name} in initialisers, shifting there is not tested\n`,
    );
}

describe("the meter's globals", () => {
  test("come after the guest's imports, and the guest's globals are still its own", async () => {
    const wat = `(module
      (import "host" "a" (global $a i32))
      (import "host" "h" (func $h (param i32)))
      (import "host" "b" (global $b i32))
      (global $c (mut i32) (global.get $b))
      (global $d (export "d") i32 (global.get $a))
      (table funcref (elem $h))
      (memory 1)
      (data (global.get $a) "xyz")
      (table $t 8 funcref)
      (elem (table $t) (global.get $b) func $h)
      (func (export "setC") (param i32) (global.set $c (local.get 0)))
      (func (export "sum") (result i32)
        (i32.add (i32.mul (global.get $a) (i32.const 1000))
          (i32.add (i32.mul (global.get $b) (i32.const 100)) (global.get $c))))
      (func (export "byte") (result i32) (i32.load8_u (i32.const 3)))
      (func (export "isNull") (param i32) (result i32) (ref.is_null (table.get $t (local.get 0)))))`;
    const host = { a: 3, b: 5, h: () => {} };
    const { exports } = await meteredInstance(wat, new TestTank(), { host });
    const call = exports as Record<string, (value?: number) => number>;
    expect(call.sum!()).toBe(3505);
    call.setC!(7);
    expect(call.sum!()).toBe(3507);
    expect((exports.d as WebAssembly.Global).value).toBe(3);
    expect(call.byte!()).toBe("x".charCodeAt(0));
    expect([call.isNull!(4), call.isNull!(5)]).toEqual([1, 0]);
  });

  describe.skipIf(supported.length === 0)("are shifted past in newer initialisers too", () => {
    test.each(supported)("%s", async (init) => {
      const imports = { host: { a: 3, b: 5 } };
      const { exports } = await meteredInstance(withInitialiser(init), new TestTank(), imports);
      expect((exports.c as WebAssembly.Global).value).toBe(11);
    });
  });

  test("are not among what the guest exports or can name", async () => {
    const fields = `(global $g (mut i64) (i64.const 5)) (export "g" (global $g))
      (func (export "f") (global.set $g (i64.const 0x7fffffffffffffff)))`;
    const tank = new TestTank({ fuel: 100 });
    const { f } = await meteredFunctions(`(module ${fields})`, tank);
    f!();
    expect(tank.used).toBe(3);
    const original = await parse(`(module ${fields})`);
    for (const beyond of [1, 2, 5]) {
      const bytes = original.slice();
      // The last instruction of the only function is `global.set 0; end`.
      expect([...bytes.subarray(bytes.lastIndexOf(0x24))].slice(0, 3)).toEqual([0x24, 0, 0x0b]);
      bytes[bytes.lastIndexOf(0x24) + 1] = beyond;
      expect(() => meterModule(bytes, TEST_CAPS)).toThrow(`global.set names global ${beyond}`);
    }
  });

  test.each(["fuel", "pages", "anything"])("cannot be imported by the guest: %s", async (name) => {
    const bytes = await parse(`(module (import "${METER_NAMESPACE}" "${name}" (global (mut i64))))`);
    expect(() => meterModule(bytes, TEST_CAPS)).toThrow(
      expect.objectContaining({ code: "import-refused", data: { name: `${METER_NAMESPACE} ${name}` } }),
    );
  });

  test("refuse a module that is metered already", async () => {
    const { bytes } = meterModule(await parse("(module (func))"), TEST_CAPS);
    expect(() => meterModule(bytes, TEST_CAPS)).toThrow(expect.objectContaining({ code: "import-refused" }));
  });

  test("are imported by the smallest module too", async () => {
    const { bytes } = meterModule(await parse("(module)"), TEST_CAPS);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    expect(imports.every(({ module, kind }) => module === METER_NAMESPACE && kind === "global")).toBe(true);
  });
});

describe("memories and tables", () => {
  test("get a maximum of at most the cap", async () => {
    expect(await limitsOf("(memory 2)")).toMatchObject({ memories: [{ min: 2, max: 10 }] });
    expect(await limitsOf("(memory 2 1000)")).toMatchObject({ memories: [{ min: 2, max: 10 }] });
    expect(await limitsOf("(memory 2 5)")).toMatchObject({ memories: [{ min: 2, max: 5 }] });
    expect(await limitsOf("(table 7 externref)")).toMatchObject({ tables: [{ min: 7, max: 100 }] });
    expect(await limitsOf("(table 7 101 funcref)")).toMatchObject({ tables: [{ min: 7, max: 100 }] });
  });

  test("that are imported keep having no maximum, and have theirs capped", async () => {
    expect((await limitsOf('(import "a" "m" (memory 2))')).memories).toEqual([{ min: 2 }]);
    expect((await limitsOf('(import "a" "m" (memory 2 1000))')).memories).toEqual([{ min: 2, max: 10 }]);
    expect((await limitsOf('(import "a" "t" (table 2 funcref))')).tables[0]?.max).toBeUndefined();
    expect((await limitsOf('(import "a" "t" (table 2 1000 funcref))')).tables[0]?.max).toBe(100);
  });

  test("link after that as they did before", async () => {
    const tank = new TestTank();
    const exporter = `(module (memory (export "none") 1) (table (export "t") 1 50000 funcref))`;
    const wide = await meteredInstance(exporter, tank);
    const narrow = await meteredInstance('(module (memory (export "m") 1 20000))', tank);
    const importer = `(module (import "a" "none" (memory 1)) (import "a" "t" (table 1 50000 funcref)))`;
    const other = '(module (import "b" "m" (memory 1 30000)))';
    await expect(meteredInstance(importer, tank, { a: wide.exports })).resolves.toBeDefined();
    await expect(meteredInstance(other, tank, { b: narrow.exports })).resolves.toBeDefined();
  });

  test.each([
    ["(memory 11)", "memoryPages", "11 pages"],
    ["(table 60 funcref) (table 41 funcref)", "tableElements", "101 elements"],
  ])("that start over the cap are refused with figure and limit: %s", async (fields, limit, figure) => {
    const bytes = await parse(`(module ${fields})`);
    const caps = { memoryPages: 10, tableElements: 100 };
    expect(() => meterModule(bytes, caps)).toThrow(
      expect.objectContaining({
        code: "module-refused",
        data: { limit },
        message: expect.stringContaining(figure),
      }),
    );
  });

  test("are reported with their initial sizes, without those that are imported", async () => {
    const wat = `(module (import "a" "m" (memory 3)) (import "a" "t" (table 9 funcref))
      (table 4 funcref) (table 5 externref))`;
    expect(meterModule(await parse(wat), TEST_CAPS)).toMatchObject({
      memories: [],
      tables: [{ minElements: 4 }, { minElements: 5 }],
    });
    expect(meterModule(await parse("(module (memory 3))"), TEST_CAPS).memories).toEqual([{ minPages: 3 }]);
  });
});

describe("custom sections", () => {
  test("with offsets into the code are dropped, others are kept", async () => {
    const dropped = [".debug_info", ".debug_line", "reloc.CODE", "linking", "sourceMappingURL"];
    const bytes = await withCustomSections(
      "(module (func))",
      "producers",
      ...dropped,
      "mine",
      "metadata.code.branch_hint",
    );
    expect(sectionNames(meterModule(bytes, TEST_CAPS).bytes)).toEqual(["producers", "mine"]);
  });

  test("with names are kept as they are, so that traces name the guest's functions", async () => {
    const wat = `(module (memory 1) (func $alpha (export "f") (memory.fill (i32.const 0) (i32.const 0) (i32.const 9)) unreachable))`;
    const tank = new TestTank();
    const { f } = await meteredFunctions(wat, tank);
    expect(f).toThrow(expect.objectContaining({ stack: expect.stringContaining("alpha") }));
  });
});

describe("what the engine refuses", () => {
  test.each([
    ["a type error", "(func (result i32))"],
    ["a store to a constant global", "(global $g i32 (i32.const 0)) (func (global.set $g (i32.const 1)))"],
    ["an alignment that is too large", "(memory 1) (func (drop (i32.load align=8 (i32.const 0))))"],
    ["two exports of one name", '(func (export "a") (export "a"))'],
    ["an initialiser of another type", "(global i32 (i64.const 0))"],
  ])("is refused after metering as well: %s", async (_, fields) => {
    const bytes = await parse(`(module ${fields})`);
    expect(WebAssembly.validate(bytes)).toBe(false);
    expect(WebAssembly.validate(meterModule(bytes, TEST_CAPS).bytes)).toBe(false);
  });
});
