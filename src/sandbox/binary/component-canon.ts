import type { Cursor } from "./component-cursor.js";
import type { CanonOptions } from "./component-definition.js";
import { readResourceIndex } from "./component-type-reader.js";
import { featureRefused, malformed } from "./refusal.js";

/** https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md#canonical-definitions */
const ASYNC = "asynchronous canonical functions";
/** The transpiler has no code for it, and panics. */
const LATIN1 = "strings in the encoding latin1+utf16";
const THREADS = "threads of the component model";

const RESOURCE_OPERATIONS: Readonly<Record<number, "new" | "drop" | "rep">> = {
  2: "new",
  3: "drop",
  4: "rep",
};

const OPTIONS: Readonly<Record<number, keyof CanonOptions | { readonly refused: string }>> = {
  0: "encoding",
  1: "encoding",
  2: { refused: LATIN1 },
  3: "memory",
  4: "realloc",
  5: "postReturn",
  6: { refused: ASYNC },
  7: { refused: ASYNC },
  8: { refused: "garbage collection" },
  9: { refused: "garbage collection" },
};

function refusedFeature(form: number): string | undefined {
  if (form >= 0x05 && form <= 0x25) return ASYNC;
  if ((form >= 0x26 && form <= 0x2d) || (form >= 0x40 && form <= 0x42)) return THREADS;
  return undefined;
}

/** Reads one canonical definition into the scope. */
export function readCanon(cursor: Cursor): void {
  const { reader, scope } = cursor;
  const offset = reader.position;
  const form = reader.byte();
  if (form === 0x00) {
    readLift(cursor, offset);
    return;
  }
  const operation = RESOURCE_OPERATIONS[form];
  if (form === 0x01) {
    cursor.choice("the sort of a lowered function", { 0: true });
    const func = cursor.index("func");
    scope.define({ kind: "lower", offset, func, options: readOptions(cursor) });
  } else if (operation !== undefined) {
    scope.define({ kind: "resource", offset, operation, type: readResourceIndex(cursor).index });
  } else {
    const feature = refusedFeature(form);
    if (feature !== undefined) throw featureRefused(offset, feature);
    throw malformed(offset, `0x${form.toString(16)} is not a canonical function`);
  }
  scope.add("core func", undefined);
}

function readLift(cursor: Cursor, offset: number): void {
  cursor.choice("the sort of a lifted function", { 0: true });
  const func = cursor.index("core func");
  const options = readOptions(cursor);
  const { position } = cursor.reader;
  const type = cursor.item("type");
  if (type.kind !== "func") throw malformed(position, `a function is lifted to a type of kind ${type.kind}`);
  cursor.scope.add("func", type);
  cursor.scope.define({ kind: "lift", offset, func, type, options });
}

function readOptions(cursor: Cursor): CanonOptions {
  const options: { -readonly [K in keyof CanonOptions]: CanonOptions[K] } = {};
  cursor.vector(() => {
    const offset = cursor.reader.position;
    const option = cursor.choice("an option of a canonical function", OPTIONS);
    if (typeof option === "object") throw featureRefused(offset, option.refused);
    if (options[option] !== undefined) throw malformed(offset, "an option of a function is given twice");
    if (option === "encoding") options.encoding = cursor.reader.bytes[offset] === 0 ? "utf8" : "utf16";
    else options[option] = cursor.index(option === "memory" ? "core memory" : "core func");
  });
  return options;
}
