import type { Range, Reader } from "./bytes.js";
import type { InstructionReader } from "./instructions.js";
import { opcodeName, opcodeNumber } from "./opcodes.js";
import { malformed } from "./refusal.js";

/** With extended constants: https://webassembly.github.io/spec/core/valid/instructions.html#constant-expressions */
const CONSTANT = new Set(
  "i32.const i64.const f32.const f64.const v128.const ref.null ref.func global.get i32.add i32.sub i32.mul i64.add i64.sub i64.mul end"
    .split(" ")
    .map(opcodeNumber),
);

/** Moves `reader` past a constant expression and returns where it was, its `end` included. */
export function readConstantExpression(instructions: InstructionReader, reader: Reader): Range {
  const start = reader.position;
  instructions.enter(start, reader.end, 0);
  while (instructions.next()) {
    if (!CONSTANT.has(instructions.opcode)) {
      throw malformed(
        instructions.start,
        `${opcodeName(instructions.opcode)} is not allowed in a constant expression`,
      );
    }
  }
  reader.position = instructions.end;
  return { start, end: reader.position };
}
