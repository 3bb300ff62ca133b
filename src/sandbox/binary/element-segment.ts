import type { Range, Reader } from "./bytes.js";
import { readConstantExpression } from "./constant-expression.js";
import type { ModuleDraft } from "./core-module.js";
import { type ReferenceType, readReferenceType, ValueTypes } from "./core-types.js";
import type { InstructionReader } from "./instructions.js";
import { malformed } from "./refusal.js";

/** https://webassembly.github.io/spec/core/binary/modules.html#element-section */
const NOT_ACTIVE = 1;
const EXPLICIT = 2;
const EXPRESSIONS = 4;

export function readElementSegment(
  module: ModuleDraft,
  reader: Reader,
  instructions: InstructionReader,
): void {
  const start = reader.position;
  const flags = reader.u32();
  if (flags > 7) throw malformed(start, `${flags} are not the flags of an element segment`);
  const itemsAreExpressions = (flags & EXPRESSIONS) !== 0;
  let place: { table: number; offset: Range } | undefined;
  if (!(flags & NOT_ACTIVE)) {
    const size = module.tables.length;
    if (!(flags & EXPLICIT) && size === 0) throw malformed(start, "there is no table 0");
    const table = flags & EXPLICIT ? reader.index(size, "table") : 0;
    place = { table, offset: readConstantExpression(instructions, reader) };
  }
  const type = flags & (NOT_ACTIVE | EXPLICIT) ? readType(reader, itemsAreExpressions) : ValueTypes.funcref;
  const count = reader.u32();
  const itemsStart = reader.position;
  for (let i = 0; i < count; i++) {
    if (itemsAreExpressions) readConstantExpression(instructions, reader);
    else reader.index(module.functions.length, "function");
  }
  const end = reader.position;
  module.elements.push({
    mode: place ? "active" : flags & EXPLICIT ? "declarative" : "passive",
    type,
    ...place,
    count,
    items: { start: itemsStart, end },
    itemsAreExpressions,
    range: { start, end },
  });
}

function readType(reader: Reader, itemsAreExpressions: boolean): ReferenceType {
  if (itemsAreExpressions) return readReferenceType(reader);
  const offset = reader.position;
  const kind = reader.byte();
  if (kind !== 0) throw malformed(offset, `0x${kind.toString(16)} is not a kind of element`);
  return ValueTypes.funcref;
}
