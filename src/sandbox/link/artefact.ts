import type { MeteredCore } from "../compile-core.js";
import type { CoreModule } from "../core-instance.js";
import type { LinkPlan } from "./plan.js";
import type { LinkedGuest } from "./run-linked.js";

/** A component that is inspected, linked and metered: all that comes before an engine compiles it, as plain data. */
export interface Artefact {
  readonly plan: LinkPlan;
  /** The plan's modules, and after them those that nothing instantiates: the engine has to accept them too. */
  readonly cores: readonly MeteredCore[];
}

/** @throws whatever `compile` throws for any core module */
export function compileArtefact(
  { plan, cores }: Artefact,
  compile: (core: MeteredCore, index: number) => CoreModule,
): LinkedGuest {
  return { plan, cores: cores.map(compile).slice(0, plan.modules.length) };
}
