import { Writer } from "#src/sandbox/binary/bytes";
import { opcodeNumber } from "#src/sandbox/binary/opcodes";

/** The bytes of instructions, by their names. */
export class Code {
  readonly out = new Writer();

  /** An instruction whose immediates are unsigned. */
  op(name: string, ...immediates: number[]): void {
    const opcode = opcodeNumber(name);
    if (opcode > 0xff) {
      this.out.byte(opcode >>> 8);
      this.out.u32(opcode & 0xff);
    } else {
      this.out.byte(opcode);
    }
    for (const immediate of immediates) this.out.u32(immediate);
  }

  i32(value: number): void {
    this.op("i32.const");
    this.out.signed(value | 0);
  }

  i64(value: number): void {
    this.op("i64.const");
    this.out.signed(value);
  }

  f32(value: number): void {
    this.op("f32.const");
    this.out.copy(new Uint8Array(new Float32Array([value]).buffer));
  }

  f64(value: number): void {
    this.op("f64.const");
    this.out.copy(new Uint8Array(new Float64Array([value]).buffer));
  }

  /** A memory access at the alignment of a byte. */
  access(name: string, offset: number): void {
    this.op(name, 0, offset);
  }

  /** Opens a block of a type of the module's. */
  open(name: "block" | "loop" | "if" | "try" | "try_table", type: number): void {
    this.op(name);
    this.out.signed(type);
  }
}
