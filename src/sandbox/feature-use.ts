import type { Range } from "./binary/bytes.js";
import type { CoreModule } from "./binary/core-module.js";
import type { ValueType } from "./binary/core-types.js";
import { InstructionReader } from "./binary/instructions.js";

/** What a core module is made of, as far as it tells which proposals it needs. */
export interface FeatureUse {
  /** Instructions of its functions, by their numbers in the opcode table. */
  readonly code: ReadonlySet<number>;
  /** Instructions of its constant expressions. */
  readonly constants: ReadonlySet<number>;
  /** Types of parameters, results, locals, globals and tables. */
  readonly types: ReadonlySet<ValueType>;
  readonly memories: number;
}

export function featureUseOf(module: CoreModule): FeatureUse {
  return {
    code: opcodesIn(
      module,
      module.bodies.map(({ code }) => code),
    ),
    constants: opcodesIn(module, [
      ...module.globalDefinitions.map(({ init }) => init),
      ...[...module.elements, ...module.data].flatMap(({ offset }) => offset ?? []),
    ]),
    types: new Set([
      ...module.types.flatMap(({ params, results }) => [...params, ...results]),
      ...module.bodies.flatMap(({ locals }) => locals.map(({ type }) => type)),
      ...module.globals.map(({ type }) => type),
      ...module.tables.map(({ element }) => element),
    ]),
    memories: module.memories.length,
  };
}

function opcodesIn(module: CoreModule, expressions: readonly Range[]): Set<number> {
  const opcodes = new Set<number>();
  const instructions = new InstructionReader(module);
  for (const { start, end } of expressions) {
    // How many locals there are does not matter: the engine is past that check.
    instructions.enter(start, end, Number.POSITIVE_INFINITY);
    while (instructions.next()) opcodes.add(instructions.opcode);
  }
  return opcodes;
}
