import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import type { WasmhookError } from "#src/errors";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { InstructionReader } from "#src/sandbox/binary/instructions";
import { opcodeName } from "#src/sandbox/binary/opcodes";

/** Each instruction of the first function: its name, its first two immediates if asked for, and the depth after it. */
function decode(bytes: Uint8Array): { name: string; first: number; second: number; depth: number }[] {
  const module = readCoreModule(bytes);
  const { code, localCount } = module.bodies[0]!;
  const type = module.types[module.functions[module.imported.func]!]!;
  const instructions = new InstructionReader(module);
  const decoded = [];
  instructions.enter(code.start, code.end, type.params.length + localCount);
  while (instructions.next()) {
    const { opcode, first, second, depth } = instructions;
    decoded.push({ name: opcodeName(opcode), first, second, depth });
  }
  expect(instructions.end).toBe(code.end);
  return decoded;
}

async function decodeText(fields: string) {
  return decode(await parse(`(module ${fields})`));
}

const ROOM = 16;

/** A module of one function of this code and then `nop`s, with one of everything; and where the code lies in it. */
async function withCode(code: readonly number[]): Promise<{ bytes: Uint8Array; at: number }> {
  const bytes = await parse(`(module (memory 1) (table 1 funcref) (tag) (global i32 (i32.const 0))
    (func (param i32) (local i64) ${"nop ".repeat(ROOM)}))`);
  const at = Buffer.from(bytes).indexOf(Buffer.from(new Array<number>(ROOM).fill(1)));
  bytes.set(code, at);
  return { bytes, at };
}

function refusalOffset(bytes: Uint8Array): number {
  try {
    decode(bytes);
  } catch (error) {
    expect(error).toMatchObject({ code: "module-refused" });
    return (error as WasmhookError<"module-refused">).data.offset ?? -1;
  }
  throw new Error("the code was accepted");
}

describe("a function body is read instruction by instruction", () => {
  test("with names, immediates and depth", async () => {
    const decoded = await decodeText(`(func (param i32) (result i32)
      (block (loop (br_if 1 (local.get 0)) (br 0))) (i32.const -7))`);
    expect(decoded.map(({ name, depth }) => [name, depth])).toEqual([
      ["block", 2],
      ["loop", 3],
      ["local.get", 3],
      ["br_if", 3],
      ["br", 3],
      ["end", 2],
      ["end", 1],
      ["i32.const", 1],
      ["end", 0],
    ]);
    expect(decoded[3]!.first).toBe(1);
    expect(decoded[7]!.first).toBe(-7);
  });

  test("with the order of the immediates that the binary has", async () => {
    const decoded =
      await decodeText(`(memory 1) (memory 1) (table 1 funcref) (table 1 funcref) (table 1 funcref)
      (elem func) (elem func) (data "") (data "")
      (func
        (memory.copy 1 0 (i32.const 0) (i32.const 0) (i32.const 0))
        (memory.init 1 1 (i32.const 0) (i32.const 0) (i32.const 0))
        (table.copy 1 2 (i32.const 0) (i32.const 0) (i32.const 0))
        (table.init 2 1 (i32.const 0) (i32.const 0) (i32.const 0))
        (drop (i32.load 1 offset=70000 (i32.const 0))))`);
    const found = decoded.filter(({ name }) => name !== "i32.const");
    expect(found.map(({ name, first, second }) => [name, first, second]).slice(0, 4)).toEqual([
      ["memory.copy", 1, 0],
      ["memory.init", 1, 1],
      ["table.copy", 1, 2],
      ["table.init", 1, 2],
    ]);
    expect(found[4]).toMatchObject({ name: "i32.load", first: 1 });
  });

  test("with handlers of both encodings", async () => {
    const decoded = await decodeText(`(tag $t)
      (func
        try try throw $t delegate 0 catch $t rethrow 0 catch_all end
        (block (try_table (catch $t 0) (catch_all 0) (throw $t)))
        (block (result exnref) (try_table (catch_all_ref 0)) (ref.null exn)) throw_ref)`);
    expect(decoded.map(({ name, depth }) => `${name} ${depth}`).join(", ")).toBe(
      "try 2, try 3, throw 3, delegate 2, catch 2, rethrow 2, catch_all 2, end 1, " +
        "block 2, try_table 3, throw 3, end 2, end 1, " +
        "block 2, try_table 3, end 2, ref.null 2, end 1, throw_ref 1, end 0",
    );
  });
});

describe("what an instruction names must be there:", () => {
  test.each([
    ["a local", [0x20, 2]],
    ["a global", [0x23, 1]],
    ["a function", [0x10, 1]],
    ["a function reference", [0xd2, 1]],
    ["a type", [0x11, 9, 0]],
    ["a table to call through", [0x11, 0, 1]],
    ["a table", [0x25, 1]],
    ["a tag", [0x08, 1]],
    ["a memory", [0x3f, 1]],
    ["a memory to load from", [0x28, 0x42, 1, 0]],
    ["a label", [0x0c, 1]],
    ["a label of a table", [0x0e, 1, 0, 1]],
    ["the default label of a table", [0x0e, 0, 1]],
    ["a label to delegate to", [0x06, 0x40, 0x18, 1]],
    ["a label of a handler", [0x1f, 0x40, 1, 2, 1]],
    ["a tag of a handler", [0x1f, 0x40, 1, 0, 1, 0]],
    ["a type of a block", [0x02, 9]],
    ["a data segment", [0xfc, 9, 0]],
    ["an element segment", [0xfc, 13, 0]],
  ])("%s", async (_, code) => {
    const { bytes, at } = await withCode(code);
    expect(refusalOffset(bytes)).toBeGreaterThanOrEqual(at);
    expect(refusalOffset(bytes)).toBeLessThan(at + code.length);
  });

  test.each([
    ["an else without its if", [0x05], 0],
    ["an else of a block", [0x02, 0x40, 0x05], 2],
    ["a second else", [0x04, 0x40, 0x05, 0x05], 3],
    ["a catch without its try", [0x19], 0],
    ["a catch in a try_table", [0x1f, 0x40, 0, 0x19], 3],
    ["a delegate after a catch", [0x06, 0x40, 0x19, 0x18, 0], 3],
    ["a body that does not end", [0x02, 0x40], ROOM + 1],
  ])("%s is out of place", async (_, code, offset) => {
    const { bytes, at } = await withCode(code);
    expect(refusalOffset(bytes)).toBe(at + offset);
  });
});

describe("an instruction of a feature that is not accepted is refused by name:", () => {
  test.each([
    ["threads and atomics", "(memory 1) (func (drop (i32.atomic.load (i32.const 0))))"],
    ["a shared memory", "(memory 1 1 shared) (func)"],
    ["a 64-bit memory", "(memory i64 1) (func)"],
    ["a 64-bit table", "(table i64 1 funcref) (func)"],
    ["custom page sizes", "(memory 1 (pagesize 1)) (func)"],
    ["garbage collection", "(type (struct)) (func)"],
    ["garbage collection", "(rec (type (func)) (type (func))) (func)"],
    ["garbage collection", "(func (drop (ref.i31 (i32.const 0))))"],
    ["garbage collection", "(func (param anyref))"],
    [
      "typed function references",
      "(type $t (func)) (func (param (ref null $t)) (call_ref $t (local.get 0)))",
    ],
    ["typed function references", "(func (param funcref) (drop (ref.as_non_null (local.get 0))))"],
    ["typed function references", "(func (param (ref func)))"],
    ["relaxed SIMD", "(func (param v128 v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 1))))"],
    ["stack switching", "(type $f (func)) (type (cont $f)) (func)"],
    ["wide arithmetic", "(func (param i64) (drop (drop (i64.mul_wide_s (local.get 0) (local.get 0)))))"],
  ])("%s: %s", async (feature, fields) => {
    const bytes = await parse(`(module ${fields})`);
    expect(() => decode(bytes)).toThrow(
      expect.objectContaining({ code: "feature-refused", data: { feature, offset: expect.any(Number) } }),
    );
  });

  test("one that nobody knows, with its offset", async () => {
    const { bytes, at } = await withCode([0x01, 0xc5]);
    expect(() => decode(bytes)).toThrow(
      expect.objectContaining({ data: { feature: "the unknown instruction 0xc5", offset: at + 1 } }),
    );
  });
});
