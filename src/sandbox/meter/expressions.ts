import type { Range, Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";

const GLOBAL_GET = opcodeNumber("global.get");

/** Copies `count` constant expressions that follow each other, with the indices of their globals shifted. */
export function writeExpressions(
  { module, shiftGlobal }: { module: CoreModule; shiftGlobal: (index: number) => number },
  range: Range,
  count: number,
  out: Writer,
): void {
  const instructions = new InstructionReader(module);
  let position = range.start;
  for (let i = 0; i < count; i++) {
    instructions.enter(position, range.end, 0);
    while (instructions.next()) {
      if (instructions.opcode === GLOBAL_GET) {
        out.byte(GLOBAL_GET);
        out.u32(shiftGlobal(instructions.first));
      } else {
        out.copy(module.bytes, instructions.start, instructions.end);
      }
    }
    position = instructions.end;
  }
}
