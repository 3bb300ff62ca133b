import type { Range, Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";
import type { Conventions } from "./conventions.js";

const GLOBAL_GET = opcodeNumber("global.get");
const REF_FUNC = opcodeNumber("ref.func");

/** What takes another index in the metered module. */
export interface Renumbering {
  readonly module: CoreModule;
  readonly shiftGlobal: (index: number) => number;
  readonly conventions: Conventions;
}

/**
 * Copies `count` constant expressions that follow each other, with the indices that are others now.
 * @param entry the index of the function that stands for one of the guest's
 */
export function writeExpressions(
  { module, shiftGlobal, conventions }: Renumbering,
  range: Range,
  count: number,
  out: Writer,
  entry = (index: number) => conventions.front(index),
): void {
  const instructions = new InstructionReader(module);
  let position = range.start;
  for (let i = 0; i < count; i++) {
    instructions.enter(position, range.end, 0);
    while (instructions.next()) {
      if (instructions.opcode === GLOBAL_GET) {
        out.byte(GLOBAL_GET);
        out.u32(shiftGlobal(instructions.first));
      } else if (instructions.opcode === REF_FUNC) {
        out.byte(REF_FUNC);
        out.u32(entry(instructions.first));
      } else {
        out.copy(module.bytes, instructions.start, instructions.end);
      }
    }
    position = instructions.end;
  }
}
