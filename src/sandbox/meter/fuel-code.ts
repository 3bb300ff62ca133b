import { Writer } from "../binary/bytes.js";
import { STACK_BITS } from "../meter-contract.js";
import { NO_TYPE } from "./assembler.js";

const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I64_CONST = 0x42;
const I64_AND = 0x83;
const I64_OR = 0x84;
const I64_SHL = 0x86;
const I64_ADD = 0x7c;
const I64_SUB = 0x7d;
const I64_LT_S = 0x53;
const IF = 0x04;
const UNREACHABLE = 0x00;
const END = 0x0b;

const UNIT = 2 ** STACK_BITS;

/**
 * Fewer units than this are three bytes as a constant, a signed LEB128 with seven bits in each: two of the stack's
 * 14 bits, and one of the units. Most charges are of this kind, and are written without the general encoder.
 */
const SMALL = 0x40;

/** Writes the instructions that work with the fuel, in one function after another. */
export class FuelCode {
  private out = new Writer();
  private local = 0;
  private readonly global: number;

  constructor(global: number) {
    this.global = global;
  }

  /** Writes to `out` from here on; the fuel is in `local`. */
  enter(out: Writer, local: number): void {
    this.out = out;
    this.local = local;
  }

  get(): void {
    this.out.byte(LOCAL_GET);
    this.out.u32(this.local);
  }

  set(): void {
    this.out.byte(LOCAL_SET);
    this.out.u32(this.local);
  }

  tee(): void {
    this.out.byte(LOCAL_TEE);
    this.out.u32(this.local);
  }

  fromGlobal(): void {
    this.out.byte(GLOBAL_GET);
    this.out.u32(this.global);
  }

  toGlobal(): void {
    this.out.byte(GLOBAL_SET);
    this.out.u32(this.global);
  }

  /** Takes units of fuel and of stack off the value on the operand stack; a negative amount is given back. */
  take(fuel: number, stack: number): void {
    if (stack === 0 && fuel > 0 && fuel < SMALL) {
      this.out.four(I64_CONST, 0x80, 0x80, fuel);
      this.out.byte(I64_SUB);
      return;
    }
    const amount = fuel * UNIT + stack;
    if (amount === 0) return;
    this.out.byte(I64_CONST);
    this.out.signed(Math.abs(amount));
    this.out.byte(amount > 0 ? I64_SUB : I64_ADD);
  }

  /** Takes units of fuel off the local. */
  charge(fuel: number): void {
    if (fuel === 0) return;
    const { out, local } = this;
    if (fuel < SMALL && local < 0x80) {
      out.four(LOCAL_GET, local, I64_CONST, 0x80);
      out.four(0x80, fuel, I64_SUB, LOCAL_SET);
      out.byte(local);
      return;
    }
    this.get();
    this.take(fuel, 0);
    this.set();
  }

  /** Traps if the value on the operand stack, which is that of the local too, says that the fuel ran out. */
  check(): void {
    const { out } = this;
    out.four(I64_CONST, 0, I64_LT_S, IF);
    out.byte(NO_TYPE);
    this.spill();
    out.byte(UNREACHABLE);
    out.byte(END);
  }

  /** As `check` does, and if the stack ran out. */
  checkStack(): void {
    // The bit of the stack is put where the sign is. A mask of both would do, but V8 inlines less with one.
    this.get();
    this.out.byte(I64_CONST);
    this.out.signed(64 - STACK_BITS);
    this.out.byte(I64_SHL);
    this.out.byte(I64_OR);
    this.check();
  }

  /** Leaves the fuel where the host sees it. */
  spill(): void {
    this.get();
    this.toGlobal();
  }

  reload(): void {
    this.fromGlobal();
    this.set();
  }

  /** Saves the stack that is left in a local, since an exception does not tell by how many frames it came. */
  saveStack(local: number): void {
    this.get();
    this.out.byte(I64_CONST);
    this.out.signed(UNIT - 1);
    this.out.byte(I64_AND);
    this.out.byte(LOCAL_SET);
    this.out.u32(local);
  }

  /** `reload`, with the stack that was saved. */
  reloadWithStack(local: number): void {
    this.fromGlobal();
    this.out.byte(I64_CONST);
    this.out.signed(-UNIT);
    this.out.byte(I64_AND);
    this.out.byte(LOCAL_GET);
    this.out.u32(local);
    this.out.byte(I64_OR);
    this.set();
  }
}
