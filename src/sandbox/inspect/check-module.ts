import type { Range } from "../binary/bytes.js";
import { type CoreModule, readCoreModule } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { featureRefused } from "../binary/refusal.js";
import { PAGE_BYTES } from "../tank.js";
import type { Budget } from "./budget.js";
import { checkBodies } from "./check-code.js";
import { checkSections } from "./check-sections.js";
import { checkName } from "./names.js";

/** A core module as it was found. Counts include what it imports. */
export interface ModuleInspection {
  /** Its bytes in the file. */
  range: Range;
  /** How many instances of it one instantiation of the component makes. */
  instances: number;
  types: number;
  functions: number;
  globals: number;
  tags: number;
  imports: number;
  exports: number;
  memories: { minPages: number; maxPages: number | undefined; imported: boolean }[];
  tables: { minElements: number; maxElements: number | undefined; imported: boolean }[];
  elementSegments: number;
  dataSegments: number;
  codeBytes: number;
  dataBytes: number;
  hasStart: boolean;
}

/**
 * Reads a core module whole, function bodies too, and holds it against the limits.
 *
 * @throws WasmhookError `module-refused`, `feature-refused` or `name-refused`
 */
export function checkModule(
  bytes: Uint8Array,
  range: Range,
  instances: number,
  budget: Budget,
): ModuleInspection {
  checkSections(bytes, range, budget);
  const module = readCoreModule(bytes, range.start, range.end);
  checkNames(module, budget);
  const { imported } = module;
  const tables = module.tables.map(({ min, max }, i) => {
    return { minElements: min, maxElements: max, imported: i < imported.table };
  });
  const memories = module.memories.map(({ min, max }, i) => {
    return { minPages: min, maxPages: max, imported: i < imported.memory };
  });
  for (const table of tables) {
    if (!table.imported) budget.add("tableElements", table.minElements * instances, range.start);
  }
  for (const memory of memories) {
    if (!memory.imported)
      budget.add("initialMemoryBytes", memory.minPages * PAGE_BYTES * instances, range.start);
  }
  checkTags(module, budget);
  for (const { count, range } of module.elements) budget.add("elementItems", count, range.start);
  checkBodies(module, budget);
  return {
    range,
    instances,
    types: module.types.length,
    functions: module.functions.length,
    globals: module.globals.length,
    tags: module.tags.length,
    imports: module.imports.length,
    exports: module.exports.length,
    memories,
    tables,
    elementSegments: module.elements.length,
    dataSegments: module.data.length,
    codeBytes: sum(module.bodies.map(({ range }) => range.end - range.start)),
    dataBytes: sum(module.data.map(({ content }) => content.end - content.start)),
    hasStart: module.start !== undefined,
  };
}

function sum(figures: number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

function checkNames({ imports, exports }: CoreModule, { limits }: Budget): void {
  for (const { module, name, range } of imports) {
    checkName(module, `the module of a core import at byte ${range.start}`, limits.nameBytes);
    checkName(name, `a core import at byte ${range.start}`, limits.nameBytes);
  }
  for (const { name, range } of exports) {
    checkName(name, `a core export at byte ${range.start}`, limits.nameBytes);
  }
}

/** The engine keeps the parameters of an exception in its own heap, as long as anything refers to it. */
function checkTags({ tags, types, range }: CoreModule, budget: Budget): void {
  for (const tag of tags) {
    const params = types[tag]?.params ?? [];
    budget.check("tagParameters", params.length, range.start);
    if (params.includes(ValueTypes.exnref)) {
      throw featureRefused(range.start, "exceptions that hold exceptions");
    }
  }
}
