import { describe, expect, test } from "vitest";
import { inspect } from "#src/sandbox/inspect";
import { DEFAULT_INSPECT_LIMITS, type InspectLimits } from "#src/sandbox/inspect/limits";
import { componentFromWat } from "../../support/components.js";
import { handlerText } from "../../support/handler.js";
import { refusalOf } from "../../support/refusals.js";

type LimitName = keyof InspectLimits;

function withHandler(fields: string): Promise<Uint8Array> {
  return componentFromWat(`(component ${handlerText()} ${fields})`);
}

/** A component that has exactly this figure, what its handler needs included. */
const CASES: [LimitName, figure: number, fields: string][] = [
  ["nameBytes", 60, `(type (record (field "${"a".repeat(60)}" u8)))`],
  ["componentDepth", 3, "(component (component))"],
  ["componentSections", 9, "(component)"],
  ["components", 3, "(component (component))"],
  ["componentInstances", 2, "(component $c) (instance (instantiate $c)) (instance (instantiate $c))"],
  ["componentTypes", 4, "(type u8) (type u16)"],
  [
    "canons",
    2,
    '(canon lower (func $f) (memory (core memory $i "memory")) (realloc (core func $i "realloc")) (core func))',
  ],
  ["aliases", 5, '(alias core export $i "handle" (core func)) (alias core export $i "memory" (core memory))'],
  ["coreModules", 3, "(core module) (component (core module))"],
  ["coreInstances", 3, "(core module $x) (core instance (instantiate $x)) (core instance)"],
  [
    "moduleInstances",
    3,
    "(core module $x) (core instance (instantiate $x)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["types", 4, "(core module (type (func)) (type (func (param i32))))"],
  ["typeSectionBytes", 40, `(core module (type (func (param ${"i32 ".repeat(36)}))))`],
  ["sections", 7, "(core module (type (func)))"],
  ["imports", 2, '(core module (import "a" "b" (func)) (import "a" "c" (memory 0)))'],
  ["exports", 4, '(core module (func (export "a")))'],
  ["functions", 4, "(core module (func) (func))"],
  ["globals", 2, "(core module (global i32 i32.const 0) (global i64 i64.const 0))"],
  ["tags", 1, "(core module (tag))"],
  ["tagParameters", 2, "(core module (tag (param i32 i64)))"],
  ["tables", 2, "(core module (table 1 funcref) (table 1 funcref))"],
  [
    "tableElements",
    60,
    "(core module $x (table 10 funcref) (table 20 funcref)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["memories", 2, "(core module (memory 1))"],
  [
    "initialMemoryBytes",
    5 * 65_536,
    "(core module $x (memory 2)) (core instance (instantiate $x)) (core instance (instantiate $x))",
  ],
  ["elementSegments", 2, "(core module (func $f) (elem func $f) (elem func))"],
  ["elementItems", 3, "(core module (func $f) (elem func $f $f) (elem func $f))"],
  ["dataSegments", 2, '(core module (data "a") (data "b"))'],
  ["bodyBytes", 42, `(core module (func ${"nop ".repeat(40)}))`],
  ["codeBytes", 30, `(core module (func ${"nop ".repeat(10)}) (func ${"nop ".repeat(10)}))`],
  ["functionLocals", 7, "(core module (func (param i32 i32) (local i32 i64 f32 f32 f64)))"],
  ["locals", 14, "(core module (func (local i32 i32 i32)) (func (param i64) (local f32 f32 f32 f32)))"],
  ["localRuns", 3, "(core module (func (local i32 i32 i64)) (func (local f32)))"],
  ["blockDepth", 3, "(core module (func block loop block end end end block end))"],
  ["branchTableTargets", 4, "(core module (func i32.const 0 br_table 0 0 0 0 0))"],
  [
    "functionBranchTargets",
    5,
    "(core module (func block i32.const 0 br_table 0 0 0 end i32.const 0 br_table 0 0 0 0))",
  ],
  ["functionBranches", 4, "(core module (func loop i32.const 0 br_if 0 i32.const 0 if else end end))"],
  ["branchesSquared", 5, "(core module (func loop loop end end) (func loop end))"],
  ["functionLoops", 3, "(core module (func loop loop end end loop end) (func loop end))"],
  ["loopsSquared", 5, "(core module (func loop loop end end) (func loop end))"],
  [
    "functionHeavyInstructions",
    3,
    "(core module (memory 1) (func $f call $f i32.const 4 i32.const 2 i32.div_u memory.grow drop) (func call $f))",
  ],
  ["heavyInstructions", 3, "(core module (func $f call $f call $f) (func call $f))"],
  [
    "functionLocalsTimesBranches",
    6,
    "(core module (func (local i32 i32) loop i32.const 0 br_if 0 end br 0))",
  ],
  [
    "localsTimesBranches",
    6,
    "(core module (func (local i32 i32) loop end br 0) (func (local i32) loop loop end end))",
  ],
];

describe("a figure at a limit is accepted, and one over it refused with both", () => {
  test.each(CASES)("%s", async (limit, figure, fields) => {
    const bytes = await withHandler(fields);
    expect(() => inspect(bytes, { [limit]: figure })).not.toThrow();
    const error = refusalOf(bytes, { [limit]: figure - 1 });
    if (limit === "nameBytes") {
      expect(error).toMatchObject({ code: "name-refused" });
    } else {
      expect(error).toMatchObject({ code: "module-refused", data: { limit } });
    }
    expect(error.message).toContain(String(figure));
    expect(error.message).toContain(`limit of ${figure - 1}`);
    expect(error.message).toContain(`raise the limit ${limit}`);
  });

  test("fileBytes", async () => {
    const bytes = await withHandler("");
    expect(() => inspect(bytes, { fileBytes: bytes.length })).not.toThrow();
    expect(refusalOf(bytes, { fileBytes: bytes.length - 1 })).toMatchObject({ data: { limit: "fileBytes" } });
  });

  test("componentItems", async () => {
    const bytes = await withHandler(
      `(type (enum ${Array.from({ length: 500 }, (_, i) => `"l${i}"`).join(" ")}))`,
    );
    expect(() => inspect(bytes, { componentItems: 600 })).not.toThrow();
    expect(refusalOf(bytes, { componentItems: 500 })).toMatchObject({
      code: "module-refused",
      data: { limit: "componentItems" },
    });
  });

  test("and there is no limit without such a test", () => {
    const tested = [...CASES.map(([limit]) => limit), "fileBytes", "componentItems"];
    expect(tested.sort()).toEqual(Object.keys(DEFAULT_INSPECT_LIMITS).sort());
  });
});

describe("a small file that would cost much is refused with the default limits", () => {
  const many = (count: number, text: string) => Array.from({ length: count }, () => text).join(" ");
  test.each<[string, LimitName, string]>([
    [
      "a table of ten million elements",
      "tableElements",
      "(core module $x (table 10000000 funcref)) (core instance (instantiate $x))",
    ],
    ["twenty tables", "tables", `(core module ${many(20, "(table 1 funcref)")})`],
    [
      "a memory of 4 GiB",
      "initialMemoryBytes",
      "(core module $x (memory 65536)) (core instance (instantiate $x))",
    ],
    [
      "a function with 50,000 locals",
      "functionLocals",
      `(core module (func (local ${many(50_000, "i32")})))`,
    ],
    [
      "many functions with many locals",
      "locals",
      `(core module ${many(1_001, `(func (local ${many(2_000, "i32")}))`)})`,
    ],
    ["100,000 empty functions", "functions", `(core module ${many(100_000, "(func)")})`],
    [
      "10,000 nested blocks",
      "blockDepth",
      `(core module (func ${many(10_000, "block")} ${many(10_000, "end")}))`,
    ],
    [
      "a br_table of 65,520 targets",
      "branchTableTargets",
      `(core module (func i32.const 0 br_table ${many(65_520, "0")} 0))`,
    ],
    [
      "many wide br_tables",
      "functionBranchTargets",
      `(core module (func ${many(10, `block i32.const 0 br_table ${many(1_000, "0")} 0 end`)}))`,
    ],
    ["5,000 types", "types", `(core module ${many(5_000, "(type (func))")})`],
    [
      "a type with 200,000 parameters",
      "typeSectionBytes",
      `(core module (type (func (param ${many(200_000, "i32")}))))`,
    ],
    [
      "20,000 exports",
      "exports",
      `(core module (func $f) ${Array.from({ length: 20_000 }, (_, i) => `(export "e${i}" (func $f))`).join("")})`,
    ],
    [
      "locals live over many branches",
      "functionLocalsTimesBranches",
      `(core module (func (local ${many(1_900, "i64")}) ${many(1_200, "i32.const 0 if end")}))`,
    ],
  ])("%s", async (_what, limit, fields) => {
    expect(refusalOf(await withHandler(fields))).toMatchObject({ code: "module-refused", data: { limit } });
  });

  test("a module that is instantiated more often than its text is long", async () => {
    // Each component makes ten instances of the one before.
    const levels = Array.from({ length: 30 }, (_, i) => {
      return `(component $c${i + 1} (alias outer 1 $c${i} (component $c)) ${many(10, "(instance (instantiate $c))")})`;
    });
    const error = refusalOf(
      await withHandler(`(component $c0 (core module $m) (core instance (instantiate $m))) ${levels.join("\n")}
        (instance (instantiate $c30))`),
    );
    expect(error).toMatchObject({ code: "module-refused", data: { limit: "componentInstances" } });
  });

  test("locals that are declared in millions of empty runs", async () => {
    const runs = 400_000;
    const body = [...leb5(runs), ...new Array<number>(runs).fill(0).flatMap(() => [0x00, 0x7f]), 0x0b];
    const code = [1, ...leb5(body.length), ...body];
    const core = [
      0,
      0x61,
      0x73,
      0x6d,
      1,
      0,
      0,
      0,
      1,
      4,
      1,
      0x60,
      0,
      0,
      3,
      2,
      1,
      0,
      10,
      ...leb5(code.length),
      ...code,
    ];
    const bytes = Uint8Array.from([...(await withHandler("")), 1, ...leb5(core.length), ...core]);
    expect(refusalOf(bytes)).toMatchObject({ code: "module-refused", data: { limit: "bodyBytes" } });
    expect(refusalOf(bytes, { bodyBytes: 1e9 })).toMatchObject({ data: { limit: "functionLocals" } });
  });
});

/** A LEB128 of five bytes, whatever the value. */
function leb5(value: number): number[] {
  return [0, 7, 14, 21, 28].map((shift, i) => ((value >>> shift) & 0x7f) | (i < 4 ? 0x80 : 0));
}
