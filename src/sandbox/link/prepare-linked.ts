import { compileCore, meterCore } from "../compile-core.js";
import type { LoadCall } from "../guest-messages.js";
import { inspect } from "../inspect.js";
import { type Artefact, compileArtefact } from "./artefact.js";
import { linkPlan } from "./link-plan.js";
import type { LinkedGuest } from "./run-linked.js";

/** Bytes to a component that can run, everything checked and metered. @throws WasmhookError that says why not. */
export function prepareLinked({ bytes, caps, limits }: LoadCall): {
  component: LinkedGuest;
  artefact: Artefact;
} {
  const { modules } = inspect(bytes, limits);
  const plan = linkPlan(bytes, limits);
  const planned = new Set(plan.modules.map(({ start }) => start));
  // Those that nothing instantiates are compiled too: a component is valid only if all its modules are.
  const unused = modules.flatMap(({ range }) => (planned.has(range.start) ? [] : [range]));
  const sources = [...plan.modules, ...unused].map(({ start, end }) => bytes.subarray(start, end));
  const throws = modules.some(({ tags }) => tags > 0);
  const artefact = { plan, cores: sources.map((source) => meterCore(source, caps, throws)) };
  const component = compileArtefact(artefact, (core, index) => compileCore(core, sources[index] ?? bytes));
  return { component, artefact };
}
