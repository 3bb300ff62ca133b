import { type Artefact, compileArtefact } from "./artefact.js";
import { compileCore, meterCore } from "./compile-core.js";
import type { LoadCall } from "./guest-messages.js";
import { inspect } from "./inspect.js";
import { linkPlan } from "./link/link-plan.js";
import type { LinkedGuest } from "./link/run-linked.js";
import { commandPlan } from "./wasi/preview1/command-plan.js";
import type { CommandGuest } from "./wasi/preview1/run-command.js";

/** Bytes to a guest that can run, everything checked and metered. @throws WasmhookError that says why not. */
export function prepare({ bytes, caps, limits }: LoadCall): {
  guest: LinkedGuest | CommandGuest;
  artefact: Artefact;
} {
  const { kind, modules } = inspect(bytes, limits);
  const plan = kind === "command" ? commandPlan(bytes) : linkPlan(bytes, limits);
  const planned = new Set(plan.modules.map(({ start }) => start));
  // Those that nothing instantiates are compiled too: a component is valid only if all its modules are.
  const unused = modules.flatMap(({ range }) => (planned.has(range.start) ? [] : [range]));
  const sources = [...plan.modules, ...unused].map(({ start, end }) => bytes.subarray(start, end));
  const throws = modules.some(({ tags }) => tags > 0);
  const artefact = { plan, cores: sources.map((source) => meterCore(source, caps, throws)) };
  const guest = compileArtefact(artefact, (core, index) => compileCore(core, sources[index] ?? bytes));
  return { guest, artefact };
}
