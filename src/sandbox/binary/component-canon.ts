import type { Cursor } from "./component-cursor.js";
import { readResourceIndex } from "./component-type-reader.js";
import type { FuncType } from "./component-types.js";
import { featureRefused, malformed } from "./refusal.js";

/** https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md#canonical-definitions */
const ASYNC = "asynchronous canonical functions";
/** The transpiler has no code for it, and panics. */
const LATIN1 = "strings in the encoding latin1+utf16";
const THREADS = "threads of the component model";

function refusedFeature(form: number): string | undefined {
  if (form >= 0x05 && form <= 0x25) return ASYNC;
  if ((form >= 0x26 && form <= 0x2d) || (form >= 0x40 && form <= 0x42)) return THREADS;
  return undefined;
}

/** Reads one canonical definition into the scope. */
export function readCanon(cursor: Cursor): void {
  const { reader, scope } = cursor;
  const start = reader.position;
  const form = reader.byte();
  if (form === 0x00) {
    scope.add("func", readLift(cursor));
    return;
  }
  if (form === 0x01) {
    cursor.choice("the sort of a lowered function", { 0: true });
    cursor.item("func");
    readOptions(cursor);
  } else if (form <= 0x04) {
    readResourceIndex(cursor);
  } else {
    const feature = refusedFeature(form);
    if (feature !== undefined) throw featureRefused(start, feature);
    throw malformed(start, `0x${form.toString(16)} is not a canonical function`);
  }
  scope.add("core func", undefined);
}

function readLift(cursor: Cursor): FuncType {
  cursor.choice("the sort of a lifted function", { 0: true });
  cursor.item("core func");
  readOptions(cursor);
  const { position } = cursor.reader;
  const type = cursor.item("type");
  if (type.kind !== "func") throw malformed(position, `a function is lifted to a type of kind ${type.kind}`);
  return type;
}

function readOptions(cursor: Cursor): void {
  cursor.vector(() => {
    const { position } = cursor.reader;
    const option = cursor.choice("an option of a canonical function", {
      0: "string encoding",
      1: "string encoding",
      2: LATIN1,
      3: "memory",
      4: "function",
      5: "function",
      6: ASYNC,
      7: ASYNC,
      8: "garbage collection",
      9: "garbage collection",
    });
    if (option === "memory") cursor.item("core memory");
    else if (option === "function") cursor.item("core func");
    else if (option !== "string encoding") throw featureRefused(position, option);
  });
}
