import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { ValueTypes } from "#src/sandbox/binary/core-types";
import { InstructionReader } from "#src/sandbox/binary/instructions";
import { items, leb, section, text } from "../../support/component-bytes.js";

const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const { i32, i64, funcref, externref } = ValueTypes;

function bytesOf(...sections: number[][]): Uint8Array {
  return Uint8Array.from([...PREAMBLE, ...sections.flat()]);
}

const EVERYTHING = `(module
  (type $t (func (param i32 i64) (result i32)))
  (import "env" "f" (func $f (type $t)))
  (import "env" "t" (table 1 2 externref))
  (import "env" "m" (memory 1))
  (import "env" "g" (global i64))
  (import "env" "x" (tag (param i32)))
  (func $own (export "run") (param i32) (local i64 i64 i32) (drop (local.get 0)))
  (table $tab 3 funcref)
  (tag $own-tag)
  (global $mine (export "mine") (mut i32) (i32.const 7))
  (start $go) (func $go)
  (elem (table $tab) (i32.const 1) func $own $f)
  (elem $passive funcref (ref.func $own) (ref.null func))
  (elem declare func $go)
  (data (i32.const 8) "active")
  (data "passive text")
  (export "mem" (memory 0)))`;

let everything: Uint8Array;
beforeAll(async () => {
  everything = await parse(EVERYTHING);
});

describe("a core module", () => {
  test("is read with its index spaces, imports first", () => {
    const module = readCoreModule(everything);
    expect(module.types[0]).toEqual({ params: [i32, i64], results: [i32] });
    expect(module.imported).toEqual({ func: 1, table: 1, memory: 1, global: 1, tag: 1 });
    expect(module.imports.map(({ kind, module, name, index }) => [kind, module, name, index])).toEqual([
      ["func", "env", "f", 0],
      ["table", "env", "t", 0],
      ["memory", "env", "m", 0],
      ["global", "env", "g", 0],
      ["tag", "env", "x", 0],
    ]);
    expect(module.functions).toHaveLength(3);
    expect(module.tables).toEqual([
      { element: externref, min: 1, max: 2 },
      { element: funcref, min: 3 },
    ]);
    expect(module.memories).toEqual([{ min: 1 }]);
    expect(module.tags).toHaveLength(2);
    expect(module.globals).toEqual([
      { type: i64, mutable: false },
      { type: i32, mutable: true },
    ]);
    expect(module.exports.map(({ kind, name, index }) => [kind, name, index])).toEqual([
      ["func", "run", 1],
      ["global", "mine", 1],
      ["memory", "mem", 0],
    ]);
    expect(module.start).toBe(2);
  });

  test("is read with its segments and bodies, each with its place in the file", () => {
    const { bodies, elements, data, globalDefinitions } = readCoreModule(everything);
    expect(bodies[0]).toMatchObject({
      localCount: 3,
      locals: [
        { count: 2, type: i64 },
        { count: 1, type: i32 },
      ],
    });
    const { code } = bodies[0]!;
    expect([...everything.subarray(code.start, code.end)]).toEqual([0x20, 0, 0x1a, 0x0b]);
    expect(elements.map(({ mode, table, count }) => [mode, table, count])).toEqual([
      ["active", 1, 2],
      ["passive", undefined, 2],
      ["declarative", undefined, 1],
    ]);
    expect(elements.map(({ itemsAreExpressions }) => itemsAreExpressions)).toEqual([false, true, false]);
    const contents = data.map(({ content }) =>
      Buffer.from(everything.subarray(content.start, content.end)).toString(),
    );
    expect(contents).toEqual(["active", "passive text"]);
    const { init } = globalDefinitions[0]!;
    expect([...everything.subarray(init.start, init.end)]).toEqual([0x41, 7, 0x0b]);
  });

  test("is read where it lies within a larger file, offsets being those of the file", () => {
    const file = Uint8Array.from([1, 2, 3, ...everything, 9, 9]);
    const inner = readCoreModule(file, 3, 3 + everything.length);
    const alone = readCoreModule(everything);
    expect(inner.bodies.map(({ code }) => code.start - 3)).toEqual(
      alone.bodies.map(({ code }) => code.start),
    );
  });

  test("cut anywhere is refused, unless it ends between sections", () => {
    const ends = new Set([8, ...readCoreModule(everything).sections.map(({ range }) => range.end)]);
    for (let length = 0; length < everything.length; length++) {
      try {
        readCoreModule(everything.slice(0, length));
        expect(ends).toContain(length);
      } catch (error) {
        expect(error).toBeInstanceOf(WasmhookError);
        const code = ends.has(length) ? "module-refused" : "wasm-truncated";
        expect(error).toMatchObject({ code, data: { offset: length } });
      }
    }
  });

  test("with any damage is read or refused, and nothing else", () => {
    const damage = fc.array(fc.tuple(fc.nat(everything.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(damage, (changes) => {
        const bytes = everything.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const module = readCoreModule(bytes);
          const instructions = new InstructionReader(module);
          for (const { code, localCount } of module.bodies) {
            instructions.enter(code.start, code.end, localCount);
            while (instructions.next()) expect(instructions.end).toBeLessThanOrEqual(code.end);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(WasmhookError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("a malformed core module is refused with its offset:", () => {
  const type = items(1, [0x60, 0, 0]);
  test.each([
    ["another magic", Uint8Array.from([0, 1, 2, 3, 1, 0, 0, 0]), 0],
    ["another version", Uint8Array.from([0, 0x61, 0x73, 0x6d, 2, 0, 0, 0]), 4],
    ["a section twice", bytesOf(type, type), 14],
    ["sections out of order", bytesOf(items(3), items(1)), 11],
    ["bytes left over in a section", bytesOf(section(1, [0, 0])), 11],
    ["a form of type that does not exist", bytesOf(items(1, [0x40])), 11],
    ["a type that is not there", bytesOf(items(3, [0])), 11],
    ["functions without bodies", bytesOf(type, items(3, [0])), 18],
    ["a memory above 4 GiB", bytesOf(items(5, [0, ...leb(65_537)])), 11],
    ["flags of a memory that do not exist", bytesOf(items(5, [0x10, 1])), 11],
    ["flags of a table that do not exist", bytesOf(items(4, [0x70, 0x10, 1])), 12],
    ["a minimum above the maximum", bytesOf(items(4, [0x70, 1, 5, 4])), 12],
    ["an export of what is not there", bytesOf(items(7, [...text("x"), 0, 0])), 14],
    ["a start function that is not there", bytesOf(section(8, [0])), 10],
    ["data without a memory", bytesOf(items(11, [0, 0x41, 0, 0x0b, 0])), 11],
    ["elements without a table", bytesOf(items(9, [0, 0x41, 0, 0x0b, 0])), 11],
    ["another count of data than declared", bytesOf(section(12, [1])), 11],
    ["a mutability that does not exist", bytesOf(items(6, [0x7f, 4, 0x41, 0, 0x0b])), 12],
    ["an initialiser that is not constant", bytesOf(items(6, [0x7f, 0, 0x41, 0, 0x45, 0x0b])), 15],
    ["an initialiser that names a later global", bytesOf(items(6, [0x7f, 0, 0x23, 0, 0x0b])), 13],
    ["a name that is not UTF-8", bytesOf(section(0, [1, 0xff])), 10],
    [
      "2^32 locals",
      bytesOf(type, items(3, [0]), items(10, [9, 2, ...leb(0xffff_ffff), 0x7f, 1, 0x7f, 0x0b])),
      29,
    ],
  ])("%s", (_, bytes, offset) => {
    expect(() => readCoreModule(bytes)).toThrow(
      expect.objectContaining({ code: "module-refused", data: { offset } }),
    );
  });

  test.each([
    ["the unknown section 14", bytesOf(section(14, [])), 8],
    ["a shared memory", bytesOf(items(5, [3, 1, 1])), 11],
    ["a 64-bit memory", bytesOf(items(5, [4, 1])), 11],
    ["custom page sizes", bytesOf(items(5, [8, 1, 0])), 11],
    ["a shared table", bytesOf(items(4, [0x70, 3, 1, 1])), 12],
    ["a shared global", bytesOf(items(6, [0x7f, 3, 0x41, 0, 0x0b])), 12],
    [
      "a table with an initialiser (typed function references)",
      bytesOf(items(4, [0x40, 0, 0x70, 0, 1, 0xd0, 0x70, 0x0b])),
      11,
    ],
    ["garbage collection", bytesOf(items(1, [0x5f, 0])), 11],
    ["stack switching", bytesOf(items(1, [0x5d, 0])), 11],
  ])("as a feature: %s", (feature, bytes, offset) => {
    expect(() => readCoreModule(bytes)).toThrow(
      expect.objectContaining({ code: "feature-refused", data: { offset, feature } }),
    );
  });

  test("a count that the bytes cannot hold, before anything is allocated for it", () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13]) {
      expect(() => readCoreModule(bytesOf(section(id, leb(0xffff_ffff))))).toThrow(WasmhookError);
    }
  });
});
