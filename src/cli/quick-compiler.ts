import { setFlagsFromString } from "node:v8";

/**
 * From here on this process compiles WebAssembly with the engine's quick compiler only. One event gains little
 * from the optimising one, which a hostile module can keep busy for minutes: and Node waits for it at its end.
 */
export function compileQuicklyOnly(): void {
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
    setFlagsFromString(flag);
  }
}
