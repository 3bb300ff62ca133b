import { setFlagsFromString } from "node:v8";
import { type Hooks, loadHooks } from "../load-hooks.js";
import { dialectOption, required } from "./options.js";

/**
 * Loads hooks whose guests run in threads of this process. So from here on it compiles WebAssembly with the engine's
 * quick compiler only: one event gains little from the optimising one, which a hostile module can keep busy for
 * minutes, and Node waits for it at its end.
 */
export async function loadHere(values: { config?: string; dialect?: string }): Promise<Hooks> {
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
    setFlagsFromString(flag);
  }
  const file = required(values.config, "--config FILE");
  return await loadHooks(file, { ...dialectOption(values.dialect), isolation: "thread" });
}
