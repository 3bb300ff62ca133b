import type { Limits } from "../hooks/hook.js";
import { outOfMemory, tooManyElements } from "./failure.js";
import type { Host } from "./host.js";
import { METER_NAMESPACE } from "./meter-contract.js";
import type { Minimum } from "./tank.js";

/** A metered core module, compiled. */
export interface CoreModule {
  module: WebAssembly.Module;
  minimum: Minimum;
}

/** Instantiates a core module on the run's tank. Every function of the host in `imports` must be guarded. */
export function instantiateCore(
  { module, minimum }: CoreModule,
  imports: WebAssembly.Imports,
  host: Host,
  limits: Limits,
): WebAssembly.Instance {
  const lacking = host.tank.claim(minimum);
  if (lacking !== undefined) host.fail(lacking === "pages" ? outOfMemory(limits) : tooManyElements());
  const instance = new WebAssembly.Instance(module, { ...imports, [METER_NAMESPACE]: host.tank.globals });
  host.instantiated(instance);
  return instance;
}
