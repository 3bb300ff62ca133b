import { metadataShow } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import { describeFile } from "#src/sandbox/describe";
import type { SectionSize } from "#src/sandbox/describe/section-sizes";
import { component, leb, section, text } from "../support/component-bytes.js";
import { componentFromWat, hookComponent, worldComponent } from "../support/components.js";
import { echoGuest, logGuest } from "../support/guests.js";

const PREAMBLE_BYTES = 8;

/** A producers section: https://github.com/WebAssembly/tool-conventions/blob/main/ProducersSection.md */
function producers(field: string, ...values: [name: string, version: string][]): number[] {
  const listed = values.flatMap(([name, version]) => [...text(name), ...text(version)]);
  return section(0, [...text("producers"), 1, ...text(field), ...leb(values.length), ...listed]);
}

describe("a component of the hook world", () => {
  test("is accepted, with its world, and with what it imports and exports as WIT has it", async () => {
    const described = describeFile(await hookComponent(logGuest));
    expect(described.refusal).toBeUndefined();
    expect(described).toMatchObject({
      kind: "component",
      world: "wasmhook:hook/hook@1.0.0",
      imports: [
        {
          name: "wasmhook:hook/host@1.0.0",
          items: [
            { name: "level", type: "type enum { debug, info, warn, error }" },
            { name: "log", type: "func(level: enum { debug, info, warn, error }, message: string)" },
          ],
        },
      ],
      exports: [
        {
          name: "wasmhook:hook/handler@1.0.0",
          items: [{ name: "handle", type: "func(event: string) -> result<string, string>" }],
        },
      ],
    });
  });

  test("has its core modules where wasm-tools finds them, and of each its functions, memory and tables", async () => {
    const bytes = await hookComponent(echoGuest);
    const { coreModules } = describeFile(bytes);
    const found = (await metadataShow(bytes)).filter(({ metaType }) => metaType.tag === "module");
    expect(coreModules.map(({ offset, bytes }) => [offset, offset + bytes])).toEqual(
      found.map(({ range }) => [...range]),
    );
    // realloc, answer and handle, and one page.
    expect(coreModules[0]).toMatchObject({
      instances: 1,
      functions: 3,
      memories: [{ minPages: 1 }],
      tables: [],
    });
  });

  test("has sections whose sizes add up to the file, those within a section to that section", async () => {
    const bytes = await hookComponent(logGuest);
    const { sections } = describeFile(bytes);
    const sum = (sizes: readonly SectionSize[]) => sizes.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum(sections)).toBe(bytes.length - PREAMBLE_BYTES);
    const core = sections.find(({ name }) => name === "core module");
    const { range } = (await metadataShow(bytes)).find(({ metaType }) => metaType.tag === "module") ?? {
      range: [],
    };
    expect(sum(core?.sections ?? [])).toBe(Number(range[1]) - Number(range[0]) - PREAMBLE_BYTES);
  });

  test("has the producers that wasm-tools reads, each once", async () => {
    const bytes = await hookComponent(echoGuest);
    const read = (await metadataShow(bytes)).flatMap(({ producers }) => producers);
    const said = read.flatMap(([field, values]) =>
      values.map(([name, version]) => ({ field, name, version })),
    );
    const once = [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
    expect(once.length).toBeGreaterThan(0);
    expect(describeFile(bytes).producers).toEqual(once);
  });
});

describe("a file that is refused is described as far as it can be read:", () => {
  test("a component of another world", async () => {
    const wit =
      "package my:pkg; interface api { f: func(a: option<u8>) -> list<string>; } world w { import api; export g: func(); }";
    const bytes = await worldComponent('(module (func (export "g")))', wit, "w");
    expect(describeFile(bytes)).toMatchObject({
      kind: "component",
      refusal: { code: "not-a-hook" },
      exports: [{ name: "g", type: "func()" }],
    });
    expect(describeFile(bytes)).not.toHaveProperty("world");
  });

  test("a component with a resource and an instance within an interface", async () => {
    const bytes = await componentFromWat(`(component (import "a:b/c" (instance
      (export "r" (type (sub resource)))
      (export "i" (instance)))))`);
    expect(describeFile(bytes).imports).toEqual([
      {
        name: "a:b/c",
        items: [
          { name: "r", type: "type resource" },
          { name: "i", type: "interface" },
        ],
      },
    ]);
  });

  test("a core module, its imports by module, each with its type", async () => {
    const bytes = await componentFromWat(`(module
      (import "env" "f" (func (param i32 f64) (result i64)))
      (import "env" "t" (table 1 2 externref))
      (import "other" "m" (memory 1))
      (import "env" "g" (global (mut v128)))
      (import "env" "e" (tag (param f32)))
      (table 3 funcref) (memory 2 5)
      (func (export "none")) (func (export "two") (result i32 i32) unreachable)
      (global (export "c") i32 (i32.const 0))
      (export "m2" (memory 1)) (export "t2" (table 1)))`);
    expect(describeFile(bytes)).toMatchObject({
      kind: "core module",
      refusal: { code: "core-module" },
      imports: [
        {
          name: "env",
          items: [
            { name: "f", type: "func(i32, f64) -> i64" },
            { name: "t", type: "table of 1 to 2 externref" },
            { name: "g", type: "mutable global v128" },
            { name: "e", type: "tag(f32)" },
          ],
        },
        { name: "other", items: [{ name: "m", type: "memory of 1 or more pages" }] },
      ],
      exports: [
        { name: "none", type: "func()" },
        { name: "two", type: "func() -> (i32, i32)" },
        { name: "c", type: "global i32" },
        { name: "m2", type: "memory of 2 to 5 pages" },
        { name: "t2", type: "table of 3 or more funcref" },
      ],
      coreModules: [
        {
          offset: 0,
          bytes: bytes.length,
          instances: 1,
          functions: 2,
          memories: [{ minPages: 2, maxPages: 5 }],
          tables: [{ minElements: 3 }],
        },
      ],
    });
  });

  test("a component that ends too early keeps what stands before its end", async () => {
    const whole = await hookComponent(logGuest);
    const described = describeFile(whole.subarray(0, whole.length - 100));
    expect(described.refusal?.code).toMatch(/wasm-truncated|module-refused/);
    expect(described).toMatchObject({ kind: "component", bytes: whole.length - 100 });
    expect(described.imports).toEqual(describeFile(whole).imports);
    expect(described.coreModules).toHaveLength(describeFile(whole).coreModules.length);
    expect(described.coreModules.every(({ whole }) => whole)).toBe(true);
    expect(described.sections.length).toBeGreaterThan(3);
  });

  test("a core module with a memory of a kind that is not supported keeps what stands before it", async () => {
    const described = describeFile(
      await componentFromWat('(module (import "a" "f" (func)) (memory 1 2 shared) (func (export "g")))'),
    );
    expect(described).toMatchObject({
      imports: [{ name: "a", items: [{ name: "f", type: "func()" }] }],
      exports: [],
      coreModules: [{ whole: false, functions: 1, memories: [] }],
    });
    expect(described.sections.map(({ name }) => name)).toContain("code");
  });

  test("a core module that ends in its code keeps its whole sections", async () => {
    const whole = await componentFromWat(
      '(module (import "a" "f" (func)) (func (export "g") (nop) (nop) (nop)))',
    );
    const described = describeFile(whole.subarray(0, whole.length - 2));
    // Its sections do not hold together, so nothing is made of their items.
    expect(described).toMatchObject({
      kind: "core module",
      refusal: expect.anything(),
      coreModules: [{ whole: false, functions: 0 }],
    });
    expect(described.sections.map(({ name }) => name)).toEqual(["type", "import", "function", "export"]);
  });

  test("a component with a section of values, which are not supported", async () => {
    const described = describeFile(component(section(12, [0]), section(0, text("after"))));
    expect(described.refusal?.code).toBe("feature-refused");
    expect(described.sections).toEqual([
      { name: "value", count: 1, bytes: 3 },
      { name: "custom", customName: "after", count: 1, bytes: 8 },
    ]);
  });

  test("a section of no known kind", () => {
    expect(describeFile(component(section(77, [1, 2]))).sections).toEqual([
      { name: "unknown 77", count: 1, bytes: 4 },
    ]);
  });

  test("what is no WebAssembly", () => {
    for (const file of [
      new Uint8Array(),
      new TextEncoder().encode("#!/bin/sh\n"),
      Uint8Array.from([0, 0x61, 0x73]),
    ]) {
      expect(describeFile(file)).toEqual({
        kind: "neither",
        bytes: file.length,
        refusal: expect.objectContaining({ name: "WasmhookError" }),
        imports: [],
        exports: [],
        coreModules: [],
        producers: [],
        sections: [],
      });
    }
  });
});

describe("what a file declares cannot make its description long:", () => {
  test("one interface with many items, imported many times, lists 500 of all", async () => {
    const items = Array.from({ length: 400 }, (_, i) => `(export "f${i}" (func))`).join(" ");
    const imports = Array.from({ length: 40 }, (_, i) => `(import "a:b/i${i}" (instance (type 0)))`).join(
      " ",
    );
    const { imports: described } = describeFile(
      await componentFromWat(`(component (type (instance ${items})) ${imports})`),
    );
    expect(described).toHaveLength(40);
    expect(described.flatMap(({ items }) => items ?? [])).toHaveLength(500);
    expect(described.map(({ omitted = 0 }) => omitted)).toEqual([0, 300, ...new Array(38).fill(400)]);
  });

  test("a producers section lists 50, and one that is damaged what stands before the damage", () => {
    const many = Array.from({ length: 80 }, (_, i): [string, string] => [`tool${i}`, "1"]);
    expect(describeFile(component(producers("language", ...many))).producers).toHaveLength(50);
    const damaged = producers("sdk", ["a", "1"]);
    damaged[damaged.indexOf(1, "producers".length + 3)] = 9;
    expect(describeFile(component(damaged)).producers).toEqual([{ field: "sdk", name: "a", version: "1" }]);
  });

  test("components nested deeper than any may be are not followed", () => {
    let inner: number[] = [];
    for (let depth = 0; depth < 100; depth++) inner = section(4, [...component(inner)]);
    let depth = 0;
    for (let at = describeFile(component(inner)).sections; at.length > 0; at = at[0]?.sections ?? []) depth++;
    expect(depth).toBe(8);
  });
});
