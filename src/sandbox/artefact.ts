import type { MeteredCore } from "./compile-core.js";
import type { CoreModule } from "./core-instance.js";
import type { LinkPlan } from "./link/plan.js";
import type { LinkedGuest } from "./link/run-linked.js";
import type { CommandPlan } from "./wasi/preview1/command-plan.js";
import type { CommandGuest } from "./wasi/preview1/run-command.js";

/** A guest that is inspected, linked and metered: all that comes before an engine compiles it, as plain data. */
export interface Artefact {
  readonly plan: LinkPlan | CommandPlan;
  /** The plan's modules, and after them those that nothing instantiates: the engine has to accept them too. */
  readonly cores: readonly MeteredCore[];
}

/** @throws whatever `compile` throws for any core module */
export function compileArtefact(
  { plan, cores }: Artefact,
  compile: (core: MeteredCore, index: number) => CoreModule,
): LinkedGuest | CommandGuest {
  const compiled = cores.map(compile).slice(0, plan.modules.length);
  return "seed" in plan ? { plan, cores: compiled } : { plan, cores: compiled };
}
