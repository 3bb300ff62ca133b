import { type Range, Reader } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";

const REF_FUNC = opcodeNumber("ref.func");

/** The functions that a module names outside of its code: in exports, segments, globals, as its start. */
export function referencedFunctions(module: CoreModule): number[] {
  const found: number[] = [];
  const instructions = new InstructionReader(module);
  const readExpressions = (range: Range, count: number) => {
    let position = range.start;
    for (let i = 0; i < count; i++) {
      instructions.enter(position, range.end, 0);
      while (instructions.next()) if (instructions.opcode === REF_FUNC) found.push(instructions.first);
      position = instructions.end;
    }
  };
  for (const { kind, index } of module.exports) if (kind === "func") found.push(index);
  for (const { init } of module.globalDefinitions) readExpressions(init, 1);
  for (const { items, itemsAreExpressions, count } of module.elements) {
    if (itemsAreExpressions) {
      readExpressions(items, count);
      continue;
    }
    const indices = new Reader(module.bytes, items.start, items.end);
    for (let i = 0; i < count; i++) found.push(indices.u32());
  }
  if (module.start !== undefined) found.push(module.start);
  return found;
}
