import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Reader, Writer } from "#src/sandbox/binary/bytes";

function readerOf(...bytes: number[]): Reader {
  return new Reader(Uint8Array.from(bytes));
}

const malformedAt = (offset: number) => expect.objectContaining({ code: "module-refused", data: { offset } });
const truncatedAt = (offset: number) => expect.objectContaining({ code: "wasm-truncated", data: { offset } });

// Encodings of https://webassembly.github.io/spec/core/binary/values.html#integers, worked out by hand.
describe("an integer", () => {
  test.each([
    ["u32", [0x00], 0],
    ["u32", [0x7f], 127],
    ["u32", [0xe5, 0x8e, 0x26], 624_485],
    ["u32", [0x80, 0x80, 0x80, 0x80, 0x00], 0],
    ["u32", [0xff, 0xff, 0xff, 0xff, 0x0f], 0xffff_ffff],
    ["s32", [0x7f], -1],
    ["s32", [0x40], -64],
    ["s32", [0xff, 0x7e], -129],
    ["s32", [0xff, 0xff, 0xff, 0xff, 0x7f], -1],
    ["s32", [0xff, 0xff, 0xff, 0xff, 0x07], 0x7fff_ffff],
    ["s32", [0x80, 0x80, 0x80, 0x80, 0x78], -0x8000_0000],
    ["s33", [0x40], -64],
    ["s33", [0xff, 0xff, 0xff, 0xff, 0x0f], 0xffff_ffff],
    ["s33", [0x80, 0x80, 0x80, 0x80, 0x70], -0x1_0000_0000],
    ["s64", [0x7f], -1n],
    ["s64", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00], 2n ** 63n - 1n],
    ["s64", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f], -(2n ** 63n)],
  ] as const)("is read as %s from %j", (type, bytes, value) => {
    const reader = readerOf(...bytes);
    expect(reader[type]()).toBe(value);
    expect(reader.done).toBe(true);
  });

  test.each([
    ["u32", [0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ["u32", [0xff, 0xff, 0xff, 0xff, 0x10]],
    ["s32", [0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ["s32", [0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["s32", [0x80, 0x80, 0x80, 0x80, 0x70]],
    ["s33", [0xff, 0xff, 0xff, 0xff, 0x1f]],
    ["s33", [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ["s64", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ["s64", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ] as const)("is refused where %s is too long or has bits beyond its type: %j", (type, bytes) => {
    const reader = readerOf(0, ...bytes);
    reader.byte();
    expect(() => reader[type]()).toThrow(malformedAt(1));
  });

  test.each(["u32", "s32", "s33", "s64"] as const)("that the file ends in is truncated: %s", (type) => {
    expect(() => readerOf(0x80, 0x80)[type]()).toThrow(truncatedAt(2));
  });

  test("is read as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.maxSafeInteger(), (unsigned, signed) => {
        const writer = new Writer(1);
        writer.u32(unsigned);
        writer.signed(signed);
        const reader = new Reader(writer.view());
        expect(reader.u32()).toBe(unsigned);
        expect(reader.s64()).toBe(BigInt(signed));
        expect(reader.done).toBe(true);
      }),
    );
  });
});

describe("a name", () => {
  test("is strict UTF-8, a byte order mark included", () => {
    expect(readerOf(5, 0xef, 0xbb, 0xbf, 0xc3, 0xa9).name()).toBe("\ufeffé");
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]) {
      expect(() => readerOf(bytes.length, ...bytes).name()).toThrow(malformedAt(0));
    }
  });

  test("longer than the file is truncated, whatever its length says", () => {
    expect(() => readerOf(0xff, 0xff, 0xff, 0xff, 0x0f, 0x41).name()).toThrow(truncatedAt(6));
  });
});

describe("a range inside the file", () => {
  test("is left neither by reading nor by skipping, and says so at its end", () => {
    const outer = readerOf(1, 2, 3, 4, 5);
    outer.byte();
    const inner = outer.nest(2, "a section");
    expect(outer.position).toBe(3);
    expect([inner.byte(), inner.byte()]).toEqual([2, 3]);
    expect(() => inner.byte()).toThrow(malformedAt(3));
    expect(() => outer.nest(3, "a section")).toThrow(truncatedAt(5));
  });

  test("must be read to its end", () => {
    const inner = readerOf(1, 2, 3).nest(2, "a section");
    inner.byte();
    expect(() => inner.finish()).toThrow(malformedAt(1));
  });
});

describe("a writer", () => {
  test("holds long and short copies in order, and starts afresh after it was cleared", () => {
    const writer = new Writer(1);
    const long = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
    writer.copy(long, 10, 20);
    writer.copy(long);
    writer.name("é");
    const expected = [...long.subarray(10, 20), ...long, 2, 0xc3, 0xa9];
    expect([...writer.view()]).toEqual(expected);
    const other = new Writer();
    other.append(writer);
    writer.clear();
    expect([writer.length, other.length]).toEqual([0, expected.length]);
  });
});
