import { describe, expect, test } from "vitest";
import { MODULE_LIMITS, type ModuleLimit } from "#src/hooks/module-limits";
import { inspect } from "#src/sandbox/inspect";
import { refusalOf } from "../../support/refusals.js";
import { CASES, withHandler } from "./limit-cases.js";

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
    expect(tested.sort()).toEqual(MODULE_LIMITS.toSorted());
  });
});

describe("a small file that would cost much is refused with the default limits", () => {
  const many = (count: number, text: string) => Array.from({ length: count }, () => text).join(" ");
  test.each<[string, ModuleLimit, string]>([
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

  test("bodies of functions that nothing declares", async () => {
    const count = 70_000;
    const code = [...leb5(count), ...new Array<number[]>(count).fill([2, 0, 0x0b]).flat()];
    const core = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 10, ...leb5(code.length), ...code];
    const bytes = Uint8Array.from([...(await withHandler("")), 1, ...leb5(core.length), ...core]);
    expect(refusalOf(bytes)).toMatchObject({ code: "module-refused", data: { limit: "functions" } });
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
