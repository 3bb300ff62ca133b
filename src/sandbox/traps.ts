/**
 * The kinds of trap by the names that the official test suite gives them, with the words of V8,
 * JavaScriptCore and SpiderMonkey for each, so that one guest's failure reads the same on every engine.
 */
const KINDS: readonly (readonly [kind: string, words: RegExp])[] = [
  ["unreachable", /unreachable/i],
  ["indirect call to nothing or to another type", /indirect call|call_indirect|signature mismatch/i],
  ["out of bounds table access", /table (index|access|segment)|element segment|table.*out of bounds/i],
  ["out of bounds memory access", /memory access|data segment|index out of bounds/i],
  ["integer divide by zero", /(divi(de|sion)|remainder) by zero/i],
  ["integer overflow", /integer overflow|result unrepresentable/i],
  ["invalid conversion to integer", /unrepresentable in integer|conversion to integer|trunc/i],
  ["null reference", /null/i],
];

/** What an instance's `RuntimeError` was about, in words that are the same on every engine. */
export function trapKind(message: string): string {
  return KINDS.find(([, words]) => words.test(message))?.[0] ?? "trap";
}

// (module (func (export "trap") unreachable))
const TRAP_MODULE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 116, 114, 97, 112, 0, 0, 10, 5, 1,
  3, 0, 0, 11,
];

/**
 * Ends the guest below this call. A trap is the one thing that no handler of the guest can catch: it can
 * catch whatever JavaScript throws.
 */
export const trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(TRAP_MODULE))).exports
  .trap as () => never;
