import type { Range } from "../binary/bytes.js";
import { type CoreModule, type FunctionBody, readCoreModule } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { featureRefused, malformed } from "../binary/refusal.js";
import { PAGE_BYTES } from "../tank.js";
import type { Budget } from "./budget.js";
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

const BR_TABLE = opcodeNumber("br_table");
/** Where control flow splits or comes together, so that an optimising compiler has to follow each local. */
const BRANCHING = new Set(
  "loop if else br br_if br_table try try_table catch catch_all delegate".split(" ").map(opcodeNumber),
);

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

function checkBodies(module: CoreModule, budget: Budget): void {
  const instructions = new InstructionReader(module);
  for (const [i, body] of module.bodies.entries()) {
    const type = module.types[module.functions[module.imported.func + i] ?? -1];
    const locals = (type?.params.length ?? 0) + body.localCount;
    const offset = body.range.start;
    budget.check("functionLocals", locals, offset);
    budget.add("locals", locals, offset);
    const branches = checkCode(instructions, body, locals, budget);
    budget.check("functionLocalsTimesBranches", locals * branches, offset);
    budget.add("localsTimesBranches", locals * branches, offset);
  }
}

/** Decodes a body to its end. Returns how many branching instructions it has. */
function checkCode(
  instructions: InstructionReader,
  { code }: FunctionBody,
  locals: number,
  budget: Budget,
): number {
  let branches = 0;
  let targets = 0;
  let depth = 0;
  instructions.enter(code.start, code.end, locals);
  while (instructions.next()) {
    const { opcode } = instructions;
    // The function's own frame is no block.
    if (instructions.depth - 1 > depth) {
      depth = instructions.depth - 1;
      budget.check("blockDepth", depth, instructions.start);
    }
    if (!BRANCHING.has(opcode)) continue;
    branches++;
    if (opcode === BR_TABLE) {
      budget.check("branchTableTargets", instructions.first, instructions.start);
      targets += instructions.first;
      budget.check("functionBranchTargets", targets, instructions.start);
    }
  }
  if (instructions.end !== code.end) {
    throw malformed(instructions.end, "there are instructions after the end of a function");
  }
  return branches;
}
