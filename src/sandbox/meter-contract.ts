/**
 * What a metered core module imports from its host, beside the guest's own imports: mutable globals under
 * one namespace. All core modules of one guest share the same ones, so that they share one tank.
 */
export const METER_NAMESPACE = "wasmhook:meter";

export const MeterGlobals = {
  /**
   * `i64`: the fuel that is left. Negative once it has run out, and then it stays negative: each further
   * entry into the guest traps before it executes anything.
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
