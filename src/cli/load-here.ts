import { setFlagsFromString } from "node:v8";
import { loadConfig } from "../config/load-config.js";
import { type Hooks, hooksOf } from "../load-hooks.js";
import { dialectOption, required } from "./options.js";

/**
 * From here on this process compiles WebAssembly with the engine's quick compiler only, for guests that run in its own
 * threads: one event gains little from the optimising one, which a hostile module can keep busy for minutes, and Node
 * waits for it at its end.
 */
export function useQuickCompiler(): void {
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
    setFlagsFromString(flag);
  }
}

/** Loads hooks whose guests run in threads of this process, and of whose runs nobody else is told. */
export async function loadHere(values: { config?: string; dialect?: string }): Promise<Hooks> {
  useQuickCompiler();
  const file = required(values.config, "--config FILE");
  return hooksOf(await loadConfig(file, dialectOption(values.dialect)), { isolation: "thread" });
}
