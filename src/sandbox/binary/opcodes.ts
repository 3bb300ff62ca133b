/**
 * Every instruction of the accepted features: MVP, sign extension, saturating conversions, multi-value,
 * bulk memory, reference types, SIMD, tail calls, exceptions (both encodings), multi-memory.
 * Numbers: https://webassembly.github.io/spec/core/appendix/index-instructions.html, and the legacy
 * exception handling proposal for `try`, `catch`, `rethrow`, `delegate`, `catch_all`.
 *
 * One number stands for an instruction: its byte, or `prefix << 8 | sub-opcode` after 0xFC and 0xFD.
 */

/** What follows the opcode. */
export const Immediates = {
  refused: 0,
  none: 1,
  /** block type */
  block: 2,
  /** block type, vector of catch clauses */
  tryTable: 3,
  label: 4,
  /** vector of labels, default label */
  labels: 5,
  func: 6,
  /** type, table */
  typeTable: 7,
  tag: 8,
  local: 9,
  global: 10,
  table: 11,
  /** table, table */
  tables: 12,
  /** element segment, table */
  elemTable: 13,
  elem: 14,
  /** alignment with memory, offset */
  memarg: 15,
  memargLane: 16,
  memory: 17,
  /** memory, memory */
  memories: 18,
  /** data segment, memory */
  dataMemory: 19,
  data: 20,
  i32: 21,
  i64: 22,
  f32: 23,
  f64: 24,
  bytes16: 25,
  lane: 26,
  heapType: 27,
  /** vector of value types */
  types: 28,
} as const;

export const MISC_PREFIX = 0xfc;
export const SIMD_PREFIX = 0xfd;

/** Immediates kind by opcode number. */
export const immediatesOf = new Uint8Array(0x1_0000);
const names = new Map<number, string>();
const numbers = new Map<string, number>();

/** Consecutive opcodes from `first` with the same immediates; `-` leaves a number out. */
function run(first: number, kind: keyof typeof Immediates, list: string): void {
  for (const [i, name] of list.split(" ").entries()) {
    if (name === "-") continue;
    immediatesOf[first + i] = Immediates[kind];
    names.set(first + i, name);
    numbers.set(name, first + i);
  }
}

/** The instruction's name in the text format (`select_t` for the typed `select`). */
export function opcodeName(opcode: number): string {
  const name = names.get(opcode);
  if (name === undefined)
    throw new RangeError(`There is no instruction 0x${opcode.toString(16)} in the opcode table.`);
  return name;
}

/** The number of the instruction called `name` in this table. */
export function opcodeNumber(name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new RangeError(`There is no instruction ${name} in the opcode table.`);
  return number;
}

/** All instructions of the table, in order of their numbers. */
export function allOpcodes(): number[] {
  return [...names.keys()].sort((a, b) => a - b);
}

/**
 * The proposal that an instruction outside the table belongs to.
 * @param sub the number after a prefix byte
 */
export function featureOf(byte: number, sub = 0): string {
  if (byte === 0xfe) return "threads and atomics";
  if (byte === 0xfb || byte === 0xd3) return "garbage collection";
  if (byte === 0x14 || byte === 0x15 || (byte >= 0xd4 && byte <= 0xd6)) return "typed function references";
  if (byte >= 0xe0 && byte <= 0xe6) return "stack switching";
  if (byte === SIMD_PREFIX && sub >= 0x100) return "relaxed SIMD";
  if (byte === MISC_PREFIX && sub === 0x12) return "memory control";
  if (byte === MISC_PREFIX && sub >= 0x13 && sub <= 0x16) return "wide arithmetic";
  const shown =
    byte === MISC_PREFIX || byte === SIMD_PREFIX ? `${byte.toString(16)} ${sub}` : byte.toString(16);
  return `the unknown instruction 0x${shown}`;
}

run(0x00, "none", "unreachable nop");
run(0x02, "block", "block loop if");
run(0x05, "none", "else");
run(0x06, "block", "try");
run(0x07, "tag", "catch throw");
run(0x09, "label", "rethrow");
run(0x0a, "none", "throw_ref end");
run(0x0c, "label", "br br_if");
run(0x0e, "labels", "br_table");
run(0x0f, "none", "return");
run(0x10, "func", "call");
run(0x11, "typeTable", "call_indirect");
run(0x12, "func", "return_call");
run(0x13, "typeTable", "return_call_indirect");
run(0x18, "label", "delegate");
run(0x19, "none", "catch_all drop select");
run(0x1c, "types", "select_t");
run(0x1f, "tryTable", "try_table");
run(0x20, "local", "local.get local.set local.tee");
run(0x23, "global", "global.get global.set");
run(0x25, "table", "table.get table.set");
run(0x28, "memarg", "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u");
run(0x30, "memarg", "i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u");
run(0x36, "memarg", "i32.store i64.store f32.store f64.store i32.store8 i32.store16");
run(0x3c, "memarg", "i64.store8 i64.store16 i64.store32");
run(0x3f, "memory", "memory.size memory.grow");
run(0x41, "i32", "i32.const");
run(0x42, "i64", "i64.const");
run(0x43, "f32", "f32.const");
run(0x44, "f64", "f64.const");

const comparisons = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u";
const floatComparisons = "eq ne lt gt le ge";
const bitOperations =
  "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr";
const floatOperations = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign";
function of(type: string, list: string): string {
  return list.replaceAll(/[^ ]+/g, (name) => (name === "-" ? name : `${type}.${name}`));
}
run(0x45, "none", of("i32", `eqz ${comparisons}`));
run(0x50, "none", of("i64", `eqz ${comparisons}`));
run(0x5b, "none", of("f32", floatComparisons));
run(0x61, "none", of("f64", floatComparisons));
run(0x67, "none", of("i32", bitOperations));
run(0x79, "none", of("i64", bitOperations));
run(0x8b, "none", of("f32", floatOperations));
run(0x99, "none", of("f64", floatOperations));
run(0xa7, "none", of("i32", "wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"));
run(0xac, "none", of("i64", "extend_i32_s extend_i32_u trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"));
run(0xb2, "none", of("f32", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64"));
run(0xb7, "none", of("f64", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32"));
run(0xbc, "none", "i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64");
run(0xc0, "none", "i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s");
run(0xd0, "heapType", "ref.null");
run(0xd1, "none", "ref.is_null");
run(0xd2, "func", "ref.func");

run(0xfc00, "none", of("i32", "trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"));
run(0xfc04, "none", of("i64", "trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"));
run(0xfc08, "dataMemory", "memory.init");
run(0xfc09, "data", "data.drop");
run(0xfc0a, "memories", "memory.copy");
run(0xfc0b, "memory", "memory.fill");
run(0xfc0c, "elemTable", "table.init");
run(0xfc0d, "elem", "elem.drop");
run(0xfc0e, "tables", "table.copy");
run(0xfc0f, "table", "table.grow table.size table.fill");

run(0xfd00, "memarg", of("v128", "load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u"));
run(0xfd07, "memarg", of("v128", "load8_splat load16_splat load32_splat load64_splat store"));
run(0xfd0c, "bytes16", "v128.const i8x16.shuffle");
run(0xfd0e, "none", "i8x16.swizzle i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat");
run(0xfd15, "lane", of("i8x16", "extract_lane_s extract_lane_u replace_lane"));
run(0xfd18, "lane", of("i16x8", "extract_lane_s extract_lane_u replace_lane"));
run(0xfd1b, "lane", "i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane");
run(0xfd1f, "lane", "f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane");
run(0xfd23, "none", of("i8x16", comparisons));
run(0xfd2d, "none", of("i16x8", comparisons));
run(0xfd37, "none", of("i32x4", comparisons));
run(0xfd41, "none", of("f32x4", floatComparisons));
run(0xfd47, "none", of("f64x2", floatComparisons));
run(0xfd4d, "none", of("v128", "not and andnot or xor bitselect any_true"));
run(0xfd54, "memargLane", of("v128", "load8_lane load16_lane load32_lane load64_lane"));
run(0xfd58, "memargLane", of("v128", "store8_lane store16_lane store32_lane store64_lane"));
run(0xfd5c, "memarg", "v128.load32_zero v128.load64_zero");
run(0xfd5e, "none", "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4");
run(0xfd60, "none", of("i8x16", "abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u"));
run(0xfd67, "none", of("f32x4", "ceil floor trunc nearest"));
run(0xfd6b, "none", of("i8x16", "shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"));
run(0xfd74, "none", of("f64x2", "ceil floor"));
run(0xfd76, "none", "i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u f64x2.trunc i8x16.avgr_u");
run(0xfd7c, "none", "i16x8.extadd_pairwise_i8x16_s i16x8.extadd_pairwise_i8x16_u");
run(0xfd7e, "none", "i32x4.extadd_pairwise_i16x8_s i32x4.extadd_pairwise_i16x8_u");

/** The instructions that the integer shapes from i16x8 on have at the same places. */
function wideIntegers(first: number, type: string, from: string, special: string): void {
  const extend = `extend_low_${from}_s extend_high_${from}_s extend_low_${from}_u extend_high_${from}_u`;
  const extmul = `extmul_low_${from}_s extmul_high_${from}_s extmul_low_${from}_u extmul_high_${from}_u`;
  run(first, "none", of(type, `abs neg - all_true bitmask - - ${extend} shl shr_s shr_u add - - sub`));
  run(first + 0x15, "none", of(type, special));
  run(first + 0x1c, "none", of(type, extmul));
}
wideIntegers(0xfd80, "i16x8", "i8x16", "mul min_s min_u max_s max_u - avgr_u");
run(0xfd82, "none", "i16x8.q15mulr_sat_s");
run(0xfd85, "none", "i16x8.narrow_i32x4_s i16x8.narrow_i32x4_u");
run(0xfd8f, "none", "i16x8.add_sat_s i16x8.add_sat_u");
run(0xfd92, "none", "i16x8.sub_sat_s i16x8.sub_sat_u f64x2.nearest");
wideIntegers(0xfda0, "i32x4", "i16x8", "mul min_s min_u max_s max_u dot_i16x8_s");
wideIntegers(0xfdc0, "i64x2", "i32x4", "mul eq ne lt_s gt_s le_s ge_s");
run(0xfde0, "none", of("f32x4", "abs neg - sqrt add sub mul div min max pmin pmax"));
run(0xfdec, "none", of("f64x2", "abs neg - sqrt add sub mul div min max pmin pmax"));
run(0xfdf8, "none", "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u");
run(0xfdfa, "none", "f32x4.convert_i32x4_s f32x4.convert_i32x4_u");
run(0xfdfc, "none", "i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero");
run(0xfdfe, "none", "f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u");
