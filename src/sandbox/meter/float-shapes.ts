import { allOpcodes, opcodeName } from "../binary/opcodes.js";

/** What a value is made of, where its NaNs matter; 0 for anything else. */
export const Shapes = { none: 0, f32: 1, f64: 2, f32x4: 3, f64x2: 4 } as const;

/**
 * By instruction: the shape of operands of which it only sees that they are NaN, not which; and the shape of a
 * result whose NaNs may have any sign and payload. Source: the WebAssembly core specification, 4.3.3, "NaN
 * propagation". What moves bits (`neg`, `abs`, `copysign`, `pmin`, `pmax`, loads, constants) is in neither.
 */
export const shapeTaken = new Uint8Array(0x1_0000);
export const shapeGiven = new Uint8Array(0x1_0000);

const ARITHMETIC = /^(add|sub|mul|div|min|max|sqrt|ceil|floor|trunc|nearest)$/;
const COMPARISON = /^(eq|ne|lt|gt|le|ge)$/;
const FROM = /^(?:trunc|trunc_sat|demote|promote|promote_low)_(f32x4|f64x2|f32|f64)(?:_|$)/;

for (const opcode of allOpcodes()) {
  const [type = "", operation = ""] = opcodeName(opcode).split(".");
  const own = Shapes[type as keyof typeof Shapes] ?? Shapes.none;
  const from = FROM.exec(operation)?.[1] as keyof typeof Shapes | undefined;
  if (from !== undefined) {
    shapeTaken[opcode] = Shapes[from];
    // Only from float to float can it be a NaN.
    shapeGiven[opcode] = own;
  } else if (own !== Shapes.none && (ARITHMETIC.test(operation) || COMPARISON.test(operation))) {
    shapeTaken[opcode] = own;
    if (ARITHMETIC.test(operation)) shapeGiven[opcode] = own;
  }
}
