import { Writer } from "../binary/bytes.js";
import { type ValueType, ValueTypes } from "../binary/core-types.js";
import { opcodeNumber, SIMD_PREFIX } from "../binary/opcodes.js";
import { NO_TYPE } from "./assembler.js";
import { Shapes } from "./float-shapes.js";

const IF = 0x04;
const END = 0x0b;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;

/** The canonical NaN with a clear sign, as an instruction that pushes it. */
const F32_NAN = [0x43, 0, 0, 0xc0, 0x7f];
const F64_NAN = [0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
const V128_CONST = [SIMD_PREFIX, 0x0c];
const F32X4_NAN = [...V128_CONST, ...[0, 1, 2, 3].flatMap(() => F32_NAN.slice(1))];
const F64X2_NAN = [...V128_CONST, ...[0, 1].flatMap(() => F64_NAN.slice(1))];

interface Shape {
  readonly type: ValueType;
  readonly differs: Writer;
  /** from the value in the local at the top of the stack, the local given: pushes the canonical value */
  readonly nan: (out: Writer, local: number) => void;
}

function instructions(...names: string[]): Writer {
  const out = new Writer(8);
  for (const name of names) {
    const opcode = opcodeNumber(name);
    if (opcode > 0xff) out.byte(opcode >> 8);
    if (opcode > 0xff) out.u32(opcode & 0xff);
    else out.byte(opcode);
  }
  return out;
}

/** A NaN is not equal to itself; V8 takes one jump less for "not at least itself", which is the same. */
function scalar(type: ValueType, compare: string, constant: number[]): Shape {
  const bytes = Uint8Array.from(constant);
  return { type, differs: instructions(compare, "i32.eqz"), nan: (out) => out.copy(bytes) };
}

function vector(lanes: string, constant: number[]): Shape {
  const bytes = Uint8Array.from(constant);
  const select = instructions(`${lanes}.eq`, "v128.bitselect");
  const nan = (out: Writer, local: number) => {
    get(out, local);
    out.copy(bytes);
    get(out, local);
    get(out, local);
    out.append(select);
  };
  return { type: ValueTypes.v128, differs: instructions(`${lanes}.ne`, "v128.any_true"), nan };
}

const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [Shapes.f32, scalar(ValueTypes.f32, "f32.ge", F32_NAN)],
  [Shapes.f64, scalar(ValueTypes.f64, "f64.ge", F64_NAN)],
  [Shapes.f32x4, vector("f32x4", F32X4_NAN)],
  [Shapes.f64x2, vector("f64x2", F64X2_NAN)],
]);

/** By set of shapes. */
const LOCALS = Array.from({ length: 2 ** (Math.max(...SHAPES.keys()) + 1) }, (_, shapes) => {
  const types = [...SHAPES].filter(([shape]) => (shapes >> shape) & 1).map(([, { type }]) => type);
  return [...new Set(types)];
});

/** The types of the locals that a function needs for its shapes, which are a set of bits by shape. */
export function nanLocals(shapes: number): readonly ValueType[] {
  return LOCALS[shapes] ?? [];
}

/** Makes a NaN on the operand stack canonical; `locals` are those of `nanLocals`, the first with index `first`. */
export function writeCanonical(
  out: Writer,
  shape: number,
  locals: readonly ValueType[],
  first: number,
): void {
  const found = SHAPES.get(shape);
  if (found === undefined) return;
  const local = first + locals.indexOf(found.type);
  out.byte(LOCAL_TEE);
  out.u32(local);
  get(out, local);
  out.append(found.differs);
  out.byte(IF);
  out.byte(NO_TYPE);
  found.nan(out, local);
  out.byte(LOCAL_SET);
  out.u32(local);
  out.byte(END);
  get(out, local);
}

function get(out: Writer, local: number): void {
  out.byte(LOCAL_GET);
  out.u32(local);
}
