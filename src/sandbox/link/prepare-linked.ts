import { compileCore } from "../compile-core.js";
import type { LoadCall } from "../guest-messages.js";
import { inspect } from "../inspect.js";
import { linkPlan } from "./link-plan.js";
import type { LinkedGuest } from "./run-linked.js";

/** Bytes to a component that can run, everything checked and metered. @throws WasmhookError that says why not. */
export async function prepareLinked({ bytes, caps }: LoadCall): Promise<LinkedGuest> {
  const { modules } = inspect(bytes);
  const plan = linkPlan(bytes);
  const planned = new Set(plan.modules.map(({ start }) => start));
  // Those that nothing instantiates are compiled too: a component is valid only if all its modules are.
  const unused = modules.flatMap(({ range }) => (planned.has(range.start) ? [] : [range]));
  const compiled = await Promise.all(
    [...plan.modules, ...unused].map(({ start, end }) => compileCore(bytes.subarray(start, end), caps)),
  );
  return { plan, cores: compiled.slice(0, plan.modules.length) };
}
