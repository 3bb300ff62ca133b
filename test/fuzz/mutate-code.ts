import { Writer } from "#src/sandbox/binary/bytes";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { InstructionReader } from "#src/sandbox/binary/instructions";
import { allOpcodes, Immediates, immediatesOf, opcodeName } from "#src/sandbox/binary/opcodes";
import type { Random } from "../oracle/programs/random.js";
import { concat } from "./mutate-bytes.js";

interface Instruction {
  opcode: number;
  /** Of the body. */
  start: number;
  immediates: number;
  end: number;
}

/** By name, what takes and gives values of the same types: one stands where another stood, and the code is valid. */
const KINDS: readonly RegExp[] = [
  /^i32\.(add|sub|mul|div_.|rem_.|and|or|xor|shl|shr_.|rotl|rotr|eq|ne|[lg][te]_.)$/,
  /^i32\.(clz|ctz|popcnt|eqz|extend\d+_s)$/,
  /^i64\.(add|sub|mul|div_.|rem_.|and|or|xor|shl|shr_.|rotl|rotr)$/,
  /^i64\.(eq|ne|[lg][te]_.)$/,
  /^f32\.(add|sub|mul|div|min|max|copysign)$/,
  /^f64\.(add|sub|mul|div|min|max|copysign)$/,
  /^f32\.(abs|neg|ceil|floor|trunc|nearest|sqrt)$/,
  /^f64\.(abs|neg|ceil|floor|trunc|nearest|sqrt)$/,
  /^i32\.load(8_.|16_.)?$/,
  /^i32\.store(8|16)?$/,
];
const ALIKE = KINDS.map((names) =>
  allOpcodes().filter((opcode) => opcode < 0x100 && names.test(opcodeName(opcode))),
);

const INTEGERS = [
  0,
  1,
  2,
  -1,
  7,
  8,
  15,
  16,
  31,
  32,
  255,
  256,
  1023,
  1024,
  65_535,
  65_536,
  65_544,
  2 ** 31 - 1,
  -(2 ** 31),
];

/** Code that leaves the operand stack as it was, or never goes on. */
const SNIPPETS: readonly (readonly number[])[] = [
  [0x01],
  [0x00],
  [0x0f],
  [0x41, 0, 0x1a],
  [0x02, 0x40, 0x0b],
  // loops: one for ever, one for nothing, one of a branch on a condition
  [0x03, 0x40, 0x0c, 0, 0x0b],
  [0x03, 0x40, 0x0b],
  [0x02, 0x40, 0x03, 0x40, 0x41, 1, 0x0d, 1, 0x0c, 0, 0x0b, 0x0b],
  // growth by a page, by none, by all; of the size of the memory
  [0x41, 1, 0x40, 0, 0x1a],
  [0x41, 0, 0x40, 0, 0x1a],
  [0x41, 0x7f, 0x40, 0, 0x1a],
  [0x3f, 0, 0x1a],
  // fills and copies, within bounds and beyond
  [0x41, 0, 0x41, 0, 0x41, 0x20, 0xfc, 11, 0],
  [0x41, 0, 0x41, 0, 0x41, 0x7f, 0xfc, 11, 0],
  [0x41, 4, 0x41, 0, 0x41, 0x30, 0xfc, 10, 0, 0],
  // a NaN, in memory; a vector; a handler; calls of what is there first
  [0x41, 8, 0x43, 0, 0, 0, 0, 0x43, 0, 0, 0, 0, 0x95, 0x38, 2, 0],
  [0xfd, 0x0c, ...new Array<number>(16).fill(3), 0x1a],
  [0x06, 0x40, 0x01, 0x19, 0x0b],
  [0x41, 0, 0x04, 0x40, 0x05, 0x0b],
  [0x0c, 0],
  [0x10, 0],
  [0x10, 1],
];

/** A body with some of its instructions changed, taken out or put in; its module as it is written. */
export function mutatedBody(random: Random, module: Uint8Array, index: number): Uint8Array {
  const read = readCoreModule(module);
  const { range, code, localCount } = read.bodies[index] ?? random.pick(read.bodies);
  const body = module.subarray(range.start, range.end);
  const params = read.types[read.functions[read.imported.func + index] ?? 0]?.params.length ?? 0;
  const instructions: Instruction[] = [];
  const reader = new InstructionReader(read);
  reader.enter(code.start, code.end, localCount + params);
  while (reader.next()) {
    instructions.push({
      opcode: reader.opcode,
      start: reader.start - range.start,
      immediates: reader.immediates - range.start,
      end: reader.end - range.start,
    });
  }
  const chosen = random.pick(instructions);
  const before = body.subarray(0, chosen.start);
  const own = body.subarray(chosen.start, chosen.end);
  const after = body.subarray(chosen.end);
  const way = random.below(8);
  if (way === 0) return concat(before, after);
  if (way < 3) return concat(before, Uint8Array.from(random.pick(SNIPPETS)), own, after);
  return concat(before, replaced(random, chosen, body) ?? own, after);
}

/** An instruction that may stand where the chosen one does. */
function replaced(
  random: Random,
  { opcode, start, immediates, end }: Instruction,
  body: Uint8Array,
): Uint8Array | undefined {
  const alike = ALIKE.find((opcodes) => opcodes.includes(opcode));
  const rest = body.subarray(start + 1, end);
  if (alike !== undefined) return concat(Uint8Array.of(random.pick(alike)), rest);
  const out = new Writer();
  out.copy(body, start, immediates);
  switch (immediatesOf[opcode]) {
    case Immediates.i32:
    case Immediates.i64:
      out.signed(random.pick(INTEGERS));
      return out.view();
    case Immediates.label:
    case Immediates.local:
    case Immediates.func:
    case Immediates.global:
      out.u32(random.below(random.once(8) ? 1000 : 8));
      return out.view();
    case Immediates.memarg:
      out.u32(0);
      out.u32(random.pick(INTEGERS) >>> 0);
      return out.view();
    default:
      return undefined;
  }
}
