import { describe, expect, test } from "vitest";
import { inspect } from "#src/sandbox/inspect";
import { componentFromWat } from "../../support/components.js";
import { handlerText } from "../../support/handler.js";
import { refusalOf } from "../../support/refusals.js";

function withModule(fields: string): Promise<Uint8Array> {
  return componentFromWat(`(component ${handlerText()} (core module ${fields}))`);
}

describe("a core module is read to its last instruction", () => {
  test.each([
    ["shared memory", "(memory 1 1 shared)"],
    ["64-bit memory", "(memory i64 1)"],
    ["atomic instructions", "(memory 1) (func i32.const 0 i32.atomic.load drop)"],
    ["relaxed SIMD", "(func (param v128 v128) local.get 0 local.get 1 i8x16.relaxed_swizzle drop)"],
    ["garbage collection", "(type (struct))"],
    ["instructions of garbage collection", "(func i32.const 0 ref.i31 drop)"],
    ["typed function references", "(type $t (func)) (func (param (ref null $t)))"],
    ["exceptions that hold exceptions", "(tag (param exnref))"],
    ["stack switching", "(type $f (func)) (type $c (cont $f))"],
  ])("and refused for %s", async (_feature, fields) => {
    const bytes = await withModule(fields);
    const error = refusalOf(bytes);
    expect(error).toMatchObject({ code: "feature-refused", data: { offset: expect.any(Number) } });
    expect(error.message).toContain("(0x");
  });

  test("and refused for an opcode that nobody knows, at its offset in the file", async () => {
    const bytes = await withModule("(func nop nop nop nop nop nop nop nop)");
    const at = Buffer.from(bytes).indexOf(Buffer.from(new Array<number>(8).fill(0x01)));
    bytes[at + 3] = 0xc5;
    expect(refusalOf(bytes)).toMatchObject({ code: "feature-refused", data: { offset: at + 3 } });
  });

  test("and refused for code after its last end", async () => {
    const bytes = await withModule("(func nop nop nop nop nop nop nop nop)");
    const at = Buffer.from(bytes).indexOf(Buffer.from(new Array<number>(8).fill(0x01)));
    bytes[at + 3] = 0x0b;
    expect(refusalOf(bytes)).toMatchObject({ code: "module-refused", data: { offset: at + 4 } });
  });

  test.each([
    ["SIMD", "(func (result v128) v128.const i32x4 1 2 3 4)"],
    ["tail calls", "(func $f return_call $f)"],
    ["exceptions", "(tag $e) (func block try_table (catch_all 0) throw $e end end)"],
    ["bulk memory", "(memory 1) (func i32.const 0 i32.const 0 i32.const 0 memory.fill)"],
    ["several memories", "(memory 1) (memory 1)"],
    ["extended constants", "(global i32 i32.const 1 i32.const 2 i32.add)"],
    ["reference types", "(table 1 externref) (func (result externref) ref.null extern)"],
  ])("and accepted with %s", async (_feature, fields) => {
    const bytes = await withModule(fields);
    expect(() => inspect(bytes)).not.toThrow();
  });
});
