import { describe, expect, test } from "vitest";
import { WasmhookError } from "#src/errors";
import { DEFAULT_MODULE_LIMITS } from "#src/hooks/module-limits";
import { readComponent } from "#src/sandbox/binary/component-reader";
import { component, items, leb, section, text } from "../../support/component-bytes.js";
import { componentFromWat } from "../../support/components.js";

const LIMITS = { ...DEFAULT_MODULE_LIMITS, componentItems: 10_000 };

function refusal(bytes: Uint8Array, limits = LIMITS): WasmhookError {
  try {
    readComponent(bytes, limits);
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
  throw new Error("the component was read");
}

/** Refused with this code, at `offset` bytes after the preamble. */
function expectRefusal(bytes: Uint8Array, code: string, offset: number): void {
  expect(refusal(bytes)).toMatchObject({ code, data: { offset: 8 + offset } });
}

const funcType = [0x40, 0x00, 0x01, 0x00];

describe("bytes that no component has are refused with their offset", () => {
  const cases: [string, Uint8Array, number][] = [
    ["a sort of item", component(items(6, [0x06, 0x02, 0x00, 0x00])), 3],
    ["a sort of core item", component(items(6, [0x00, 0x05, 0x01, 0x00])), 4],
    ["a target of an alias", component(items(6, [0x03, 0x03, 0x00, 0x00])), 4],
    ["a form of core instance", component(items(2, [0x02])), 3],
    [
      "a core instance that a core instance exports",
      component(items(2, [0x01, 0x00], [0x01, 0x01, ...text("a"), 0x12, 0x00])),
      9,
    ],
    ["a form of instance", component(items(5, [0x02])), 3],
    ["a form of type", component(items(7, [0x6c])), 3],
    ["a primitive of a type", component(items(7, [0x70, 0x6c])), 4],
    ["a declaration of an instance type", component(items(7, [0x42, 0x01, 0x05])), 5],
    ["an import in an instance type", component(items(7, [0x42, 0x01, 0x03])), 5],
    ["the end of a case", component(items(7, [0x71, 0x01, ...text("a"), 0x00, 0x01])), 8],
    ["a canonical function", component(items(8, [0x3e])), 3],
    ["an option of a canonical function", component(items(8, [0x01, 0x00, 0x00, 0x01, 0x0a])), 5],
    ["a bound of a type", component(items(10, [0x00, ...text("a"), 0x03, 0x02])), 7],
    ["a form of name", component(items(10, [0x03, ...text("a"), 0x03, 0x01])), 3],
    ["more items than the section has", component(section(7, [0x02, ...funcType])), 7],
    ["bytes after the last item", component(section(7, [0x01, ...funcType, 0x00])), 7],
    [
      "a nested core module where a component should be",
      component(section(4, [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
      2,
    ],
  ];
  test.each(cases)("%s", (_what, bytes, offset) => {
    expectRefusal(bytes, "module-refused", offset);
  });
});

describe("indices that name nothing are refused with their offset", () => {
  const cases: [string, Uint8Array, number][] = [
    ["a type in a value type", component(items(7, [0x70, 0x00])), 4],
    ["an instance in an alias", component(items(6, [0x01, 0x00, 0x00, ...text("a")])), 5],
    ["a core instance in an alias", component(items(6, [0x00, 0x00, 0x01, 0x00, ...text("a")])), 6],
    ["a scope of an outer alias", component(items(6, [0x03, 0x02, 0x01, 0x00])), 5],
    ["a type of an outer alias", component(items(6, [0x03, 0x02, 0x00, 0x00])), 5],
    ["a core module to instantiate", component(items(2, [0x00, 0x00, 0x00])), 4],
    ["a component to instantiate", component(items(5, [0x00, 0x00, 0x00])), 4],
    ["a core function to lift", component(items(8, [0x00, 0x00, 0x00, 0x00, 0x00])), 5],
    ["a function to lower", component(items(8, [0x01, 0x00, 0x00, 0x00])), 5],
    ["a function to export", component(items(11, [0x00, ...text("a"), 0x01, 0x00, 0x00])), 7],
    ["a type of an import", component(items(10, [0x00, ...text("a"), 0x01, 0x00])), 7],
    ["a type with an index of five bytes", component(items(7, [0x70, 0xff, 0xff, 0xff, 0xff, 0x00])), 4],
    ["a primitive type written in five bytes", component(items(7, [0x70, 0xff, 0xff, 0xff, 0xff, 0x7f])), 4],
  ];
  test.each(cases)("%s", (_what, bytes, offset) => {
    expectRefusal(bytes, "module-refused", offset);
  });

  test("a type of the wrong kind", () => {
    expectRefusal(component(items(7, funcType, [0x70, 0x00])), "module-refused", 8);
    expectRefusal(component(items(7, funcType, [0x69, 0x00])), "module-refused", 8);
    expectRefusal(
      component(items(7, [0x73]), items(10, [0x00, ...text("a"), 0x01, 0x00])),
      "module-refused",
      10,
    );
  });

  test("a name that is imported twice", () => {
    const type = items(7, funcType);
    const bytes = component(type, items(10, [0, ...text("a"), 1, 0], [0, ...text("a"), 1, 0]));
    expectRefusal(bytes, "module-refused", type.length + 8);
  });
});

describe("features that are not metered and capped are refused with their offset", () => {
  const cases: [string, Uint8Array, number][] = [
    ["an unknown section", component(section(13, [])), 0],
    ["a start section", component(section(9, [0x00, 0x00, 0x00])), 0],
    ["a value section", component(section(12, [0x00])), 0],
    ["an alias of a value", component(items(6, [0x02, 0x00, 0x00, ...text("a")])), 3],
    ["an asynchronous function type", component(items(7, [0x43, 0x00, 0x01, 0x00])), 3],
    ["a stream", component(items(7, [0x66, 0x00])), 3],
    ["a future", component(items(7, [0x65, 0x00])), 3],
    ["an error context", component(items(7, [0x70, 0x64])), 4],
    ["a list of fixed length", component(items(7, [0x67, 0x7d, 0x04])), 3],
    ["a map", component(items(7, [0x63, 0x73, 0x73])), 3],
    ["a core module type", component(items(3, [0x50, 0x00])), 3],
    ["a core type of garbage collection", component(items(3, [0x5f, 0x00])), 3],
    ["an imported core module", component(items(10, [0x00, ...text("a"), 0x00, 0x11, 0x00])), 6],
    [
      "an imported component",
      component(items(7, [0x41, 0x00]), items(10, [0x00, ...text("a"), 0x04, 0x00])),
      8,
    ],
    [
      "an exported core module",
      component(
        section(1, [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
        items(11, [0x00, ...text("a"), 0x00, 0x11, 0x00, 0x00]),
      ),
      16,
    ],
    ["a name with attributes", component(items(10, [0x02, ...text("a"), 0x00, 0x01, 0x00])), 3],
    [
      "the string encoding latin1+utf16",
      component(items(7, funcType), items(10, [0, ...text("f"), 1, 0]), items(8, [1, 0, 0, 1, 2])),
      22,
    ],
    ["task.return", component(items(8, [0x09, 0x01, 0x00, 0x00])), 3],
    ["backpressure.inc", component(items(8, [0x24])), 3],
    ["stream.new", component(items(8, [0x0e, 0x00])), 3],
    ["thread.yield", component(items(8, [0x0c, 0x00])), 3],
    ["thread.new-indirect", component(items(8, [0x27, 0x00, 0x00])), 3],
    ["thread.spawn-ref", component(items(8, [0x40, 0x00])), 3],
  ];
  test.each(cases)("%s", (_what, bytes, offset) => {
    expectRefusal(bytes, "feature-refused", offset);
  });

  test("an asynchronous lift", async () => {
    const bytes = await componentFromWat(`(component
      (core module $m (func (export "f") (result i32) i32.const 0) (func (export "cb") (param i32 i32 i32) (result i32) i32.const 0))
      (core instance $i (instantiate $m))
      (func (canon lift (core func $i "f") async (callback (core func $i "cb")))))`).catch(() => undefined);
    expect(bytes).toBeDefined();
    if (bytes) expect(refusal(bytes)).toMatchObject({ code: "feature-refused" });
  });
});

describe("a component that would cost too much to read is refused", () => {
  test("components nested deeper than the limit", () => {
    let nested: Uint8Array = component();
    for (let i = 0; i < 8; i++) nested = component(section(4, Array.from(nested)));
    expect(refusal(nested)).toMatchObject({ code: "module-refused", data: { limit: "componentDepth" } });
    expect(refusal(nested).message).toContain("9 levels of nesting");
  });

  test("types nested as deep as a file can hold them", () => {
    const levels = 200_000;
    const bytes = component(section(7, [1, ...Array.from({ length: levels }, () => [0x42, 1, 1]).flat()]));
    expect(refusal(bytes)).toMatchObject({ code: "module-refused", data: { limit: "componentDepth" } });
  });

  test("a vector of empty labels", () => {
    const bytes = component(section(7, [1, 0x6d, ...leb(100_000), ...new Array<number>(100_000).fill(0)]));
    expect(refusal(bytes)).toMatchObject({ code: "module-refused", data: { limit: "componentItems" } });
  });

  test("a vector that says it has four thousand million items, and has none", () => {
    expectRefusal(component(section(7, [0xff, 0xff, 0xff, 0xff, 0x0f])), "module-refused", 7);
  });
});

test("a file that ends within a section is truncated, at the offset where it ends", () => {
  const whole = component(items(7, funcType));
  for (let length = 0; length < whole.length; length++) {
    if (length === 8) continue;
    expect(refusal(whole.slice(0, length))).toMatchObject({
      code: "wasm-truncated",
      data: { offset: length },
    });
  }
});
