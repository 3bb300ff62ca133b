import type { Limits } from "../../hooks/hook.js";
import { type CoreModule, instantiateCore } from "../core-instance.js";
import { badValue, guestError } from "../failure.js";
import type { Host } from "../host.js";
import { LinkedInstances } from "./linked-instances.js";
import type { HandlerPlan, LinkPlan } from "./plan.js";

/** A component that is linked without any code being generated. */
export interface LinkedGuest {
  readonly plan: LinkPlan;
  /** The plan's modules. */
  readonly cores: readonly CoreModule[];
}

/** `result<string, string>` in memory: the case in the first byte, then the text's address and length. */
const RESULT_BYTES = 12;

/**
 * Has a fresh instance answer one event.
 *
 * @returns the guest's answer. It is within the limit on output if it is UTF-8; UTF-16 was counted as half.
 * @throws WasmhookError, or whatever the guest's code ends with
 */
export function runLinked({ plan, cores }: LinkedGuest, host: Host, limits: Limits, event: string): string {
  const instances = new LinkedInstances(plan, host);
  for (const { module, imports } of plan.steps) {
    const core = cores[module];
    if (core === undefined) throw new RangeError(`there is no core module ${module}`);
    const given: WebAssembly.Imports = Object.create(null);
    for (const { module: from, name, ref } of imports) {
      given[from] ??= Object.create(null) as Record<string, unknown>;
      given[from][name] = instances.resolve(ref);
    }
    instances.add(instantiateCore(core, given, host, limits).exports);
  }
  return handle(plan.handler, instances, event);
}

/** https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#canon-lift */
function handle(
  { func, text: options, postReturn }: HandlerPlan,
  instances: LinkedInstances,
  event: string,
): string {
  const text = instances.text(options);
  const { address, length } = text.lower(event);
  const returned = instances.func(func)(address, length);
  const result = text.at(returned >>> 0, RESULT_BYTES, 4);
  const discriminant = result.getUint8(0);
  if (discriminant > 1) throw badValue();
  const said = text.lift(
    { address: result.getUint32(4, true), length: result.getUint32(8, true) },
    instances.host,
  );
  if (postReturn !== undefined) instances.withoutLeaving(() => instances.func(postReturn)(returned));
  if (discriminant === 1) throw guestError(said);
  return said;
}
