import { allOpcodes, opcodeName } from "../binary/opcodes.js";

/**
 * How many values each instruction adds to the operand stack, less what it takes, by its number. Where that
 * depends on an index (calls, blocks, branches) there is 0 here.
 */
export const stackEffect = new Int8Array(0x1_0000);

const EFFECTS: readonly (readonly [effect: number, names: RegExp])[] = [
  [1, /\.const$|^(local|global)\.get$|^(memory|table)\.size$|^ref\.(null|func)$/],
  [-1, /^drop$|^(local|global)\.set$|^table\.grow$|_lane$(?<!extract_lane|store\d+_lane)/],
  [-2, /\.store|^select(_t)?$|^table\.set$|^v128\.bitselect$/],
  [-3, /^(memory|table)\.(copy|fill|init)$/],
];

const BINARY = new RegExp(
  `\\.(${[
    "add|sub|mul|div|rem|and|andnot|or|xor|shl|shr|rotl|rotr|min|max|pmin|pmax|copysign|avgr|q15mulr_sat",
    "add_sat|sub_sat|eq|ne|lt|gt|le|ge|dot_i16x8|narrow_i16x8|narrow_i32x4|swizzle|shuffle",
    "extmul_low_\\w+|extmul_high_\\w+",
  ].join("|")})(_s|_u)?$`,
);

for (const opcode of allOpcodes()) {
  const name = opcodeName(opcode);
  const effect = EFFECTS.find(([, names]) => names.test(name))?.[0];
  stackEffect[opcode] = effect ?? (BINARY.test(name) ? -1 : 0);
}
