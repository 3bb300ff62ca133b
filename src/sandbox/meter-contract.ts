/**
 * What a metered core module imports from its host, beside the guest's own imports: mutable globals under
 * one namespace. All core modules of one guest share the same ones, so that they share one tank.
 */
export const METER_NAMESPACE = "wasmhook:meter";

export const MeterGlobals = {
  /**
   * `i64`: the fuel and the stack that are left, as `tankValue` packs them. Both are in one number so that
   * functions hand them to each other in one register.
   *
   * The fuel is negative once it has run out, and then it stays negative: each further entry into the guest
   * traps before it executes anything. When the guest has returned or thrown, what was taken is exactly what was
   * executed. Until then it may be more, by what each way on costs that ends in neither a trap nor an endless loop:
   * that is paid ahead. So it is where the host is called, and at an `unreachable` of the guest's own. After another
   * trap it is what it was when the guest had last called out (the host, or through a table) or, before that, when it
   * was entered. In each case it is the same on every engine.
   */
  fuel: "fuel",
  /** `i32`: pages of 64 KiB that the guest may still grow its memories by, over all of its modules. */
  pages: "pages",
  /** `i32`: elements that the guest may still grow its tables by, over all of its modules. */
  elements: "elements",
  /** `i32`: not 0 once a growth of a memory was refused, which tells what a trap after it was about. */
  refused: "refused",
} as const;

/** The globals in the order in which they are appended to the guest's imports. */
export const METER_GLOBAL_ORDER = [
  "fuel",
  "pages",
  "elements",
  "refused",
] as const satisfies (keyof typeof MeterGlobals)[];

/** The low bits of the number hold the stack, of which the highest is set once it has run out. */
export const STACK_BITS = 14;

/** What one unit of stack stands for: see `frame-units.ts`. */
export const STACK_UNIT_BYTES = 256;

/** The most stack that there can be, in units. */
export const MAX_STACK_UNITS = 2 ** (STACK_BITS - 1) - 1;

/** The most fuel that there can be. */
export const MAX_FUEL = 2 ** (63 - STACK_BITS) - 1;

const BITS = BigInt(STACK_BITS);
const STACK_RAN_OUT = 1n << (BITS - 1n);

export function tankValue(fuel: number, stackUnits: number): bigint {
  return (BigInt(fuel) << BITS) + BigInt(stackUnits);
}

/** The fuel that is left; negative once it has run out. */
export function fuelIn(value: bigint): bigint {
  // Where the stack is negative it has borrowed from the fuel.
  return (value - BigInt.asIntN(STACK_BITS, value)) >> BITS;
}

/** Whether calls were nested too deep. */
export function stackRanOut(value: bigint): boolean {
  return (value & STACK_RAN_OUT) !== 0n;
}
