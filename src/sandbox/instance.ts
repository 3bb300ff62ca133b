import type { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import type { LogLine } from "../hooks/outcome.js";
import { failureOf, outOfMemory, tooManyElements } from "./failure.js";
import type { Glue, InstantiateCore } from "./glue.js";
import { Host, outputTooLarge, TEXT_FUEL } from "./host.js";
import { METER_NAMESPACE } from "./meter-contract.js";
import type { Minimum } from "./tank.js";

/** A metered core module, compiled. */
export interface CoreModule {
  module: WebAssembly.Module;
  minimum: Minimum;
}

/** A component, ready to be instantiated any number of times. */
export interface Guest {
  glue: Glue<CoreModule>;
  /** By the names that the glue asks for. */
  cores: ReadonlyMap<string, CoreModule>;
}

export interface GuestRequest {
  /** The event's JSON. */
  event: string;
  /** The JSON of the hook's `config:` block. */
  config: string;
  limits: Limits;
}

/** What came of one event in a fresh instance. */
export interface GuestReport {
  result: { ok: string } | { failure: WasmhookError };
  fuelUsed: number;
  peakMemoryBytes: number;
  logs: LogLine[];
}

/** Runs one event in a fresh instance, and does not return before it is over. Never throws. */
export function runGuest(guest: Guest, { event, config, limits }: GuestRequest): GuestReport {
  const host = new Host(limits, config);
  let result: GuestReport["result"];
  try {
    host.tank.charge(event.length * TEXT_FUEL);
    const { handler } = guest.glue(host.realm())(
      coreModules(guest),
      host.imports(),
      instantiator(host, limits),
    );
    result = { ok: checkedOutput(handler?.handle?.(event), limits) };
  } catch (error) {
    result = { failure: failureOf(error, host.tank, limits) };
  }
  // The counter is tested first: a guest that ran dry may still have returned something, or trapped otherwise.
  if (host.tank.exhausted || host.tank.stackExhausted)
    result = { failure: failureOf(undefined, host.tank, limits) };
  else if (host.failure !== undefined) result = { failure: host.failure };
  const { fuelUsed, peakMemoryBytes } = host.tank;
  return { result, fuelUsed, peakMemoryBytes, logs: host.log.lines() };
}

function coreModules({ cores }: Guest): (name: string) => CoreModule {
  return (name) => {
    const core = cores.get(name);
    if (core === undefined) throw new Error(`there is no core module ${name}`);
    return core;
  };
}

/** Instantiates core modules on the run's tank, with every function of the glue guarded. */
function instantiator(host: Host, limits: Limits): InstantiateCore<CoreModule> {
  const guestFunctions = new Set<unknown>();
  const guarded = (value: unknown) =>
    typeof value === "function" && !guestFunctions.has(value) ? host.guard(value as () => unknown) : value;
  return ({ module, minimum }, imports = {}) => {
    const lacking = host.tank.claim(minimum);
    if (lacking !== undefined) host.fail(lacking === "pages" ? outOfMemory(limits) : tooManyElements());
    const all: WebAssembly.Imports = { [METER_NAMESPACE]: host.tank.globals };
    for (const [namespace, items] of Object.entries(imports)) {
      all[namespace] = Object.fromEntries(Object.entries(items).map(([name, item]) => [name, guarded(item)]));
    }
    const instance = new WebAssembly.Instance(module, all);
    for (const item of Object.values(instance.exports)) guestFunctions.add(item);
    return instance;
  };
}

function checkedOutput(output: unknown, limits: Limits): string {
  if (typeof output !== "string") throw new TypeError("the handler returned no string");
  const outputBytes = new TextEncoder().encode(output).length;
  if (outputBytes > limits.outputBytes) throw outputTooLarge(outputBytes, limits);
  return output;
}
