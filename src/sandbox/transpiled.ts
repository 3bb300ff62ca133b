import type { Limits } from "../hooks/hook.js";
import { type CoreModule, instantiateCore } from "./core-instance.js";
import type { Glue, InstantiateCore } from "./glue.js";
import type { Host } from "./host.js";

/** A component that the transpiler has made glue for. */
export interface TranspiledGuest {
  glue: Glue<CoreModule>;
  /** By the names that the glue asks for. */
  cores: ReadonlyMap<string, CoreModule>;
}

/** Has a fresh instance answer one event, as `runLinked` does. */
export function runTranspiled(guest: TranspiledGuest, host: Host, limits: Limits, event: string): string {
  const instantiate = guest.glue(host.realm());
  const { handler } = instantiate(coreModules(guest), host.imports(), instantiator(host, limits));
  const output = handler?.handle?.(event);
  if (typeof output !== "string") throw new TypeError("the handler returned no string");
  return output;
}

function coreModules({ cores }: TranspiledGuest): (name: string) => CoreModule {
  return (name) => {
    const core = cores.get(name);
    if (core === undefined) throw new Error(`there is no core module ${name}`);
    return core;
  };
}

/** Instantiates core modules with every function of the glue guarded. */
function instantiator(host: Host, limits: Limits): InstantiateCore<CoreModule> {
  const guestFunctions = new Set<unknown>();
  const guarded = (value: unknown) =>
    typeof value === "function" && !guestFunctions.has(value) ? host.guard(value as () => unknown) : value;
  return (core, imports = {}) => {
    const all: WebAssembly.Imports = {};
    for (const [namespace, items] of Object.entries(imports)) {
      all[namespace] = Object.fromEntries(Object.entries(items).map(([name, item]) => [name, guarded(item)]));
    }
    const instance = instantiateCore(core, all, host, limits);
    for (const item of Object.values(instance.exports)) guestFunctions.add(item);
    return instance;
  };
}
