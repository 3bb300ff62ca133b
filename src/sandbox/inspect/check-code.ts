import type { CoreModule, FunctionBody } from "../binary/core-module.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { malformed } from "../binary/refusal.js";
import type { Budget } from "./budget.js";

const BR_TABLE = opcodeNumber("br_table");
const LOOP = opcodeNumber("loop");

function opcodes(...lists: string[]): Set<number> {
  return new Set(lists.flatMap((list) => list.split(" ")).map(opcodeNumber));
}

/** Where control flow splits or comes together, so that an optimising compiler has to follow each local. */
const BRANCHING = opcodes("loop if else br br_if br_table try try_table catch catch_all delegate");

/** What an optimising compiler takes kilobytes each for: as measured with V8, up to nine. */
const HEAVY = opcodes(
  "call call_indirect return_call return_call_indirect ref.func throw rethrow throw_ref",
  "table.get table.set table.grow table.fill table.copy table.init",
  "memory.grow memory.fill memory.copy memory.init",
  "i32.div_s i32.div_u i32.rem_s i32.rem_u i64.div_s i64.div_u i64.rem_s i64.rem_u",
  "i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u",
  "i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u",
  "i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u",
  "i64.trunc_sat_f32_s i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u",
);

/** What a function has of each. */
interface Counts {
  branches: number;
  loops: number;
  heavy: number;
}

/**
 * Holds the functions that a module defines against what it costs an engine to compile them: a few kilobytes
 * can keep an optimising compiler busy for minutes, or take gigabytes, and no fuel pays for that.
 */
export function checkBodies(module: CoreModule, budget: Budget): void {
  const instructions = new InstructionReader(module);
  for (const [i, body] of module.bodies.entries()) {
    const type = module.types[module.functions[module.imported.func + i] ?? -1];
    const locals = (type?.params.length ?? 0) + body.localCount;
    const offset = body.range.start;
    budget.add("codeBytes", body.range.end - offset, offset);
    budget.check("functionLocals", locals, offset);
    budget.add("locals", locals, offset);
    const { branches, loops, heavy } = checkCode(instructions, body, locals, budget);
    budget.check("functionBranches", branches, offset);
    budget.add("branchesSquared", branches ** 2, offset);
    budget.check("functionLoops", loops, offset);
    budget.check("functionHeavyInstructions", heavy, offset);
    budget.add("heavyInstructions", heavy, offset);
    budget.add("loopsSquared", loops ** 2, offset);
    budget.check("functionLocalsTimesBranches", locals * branches, offset);
    budget.add("localsTimesBranches", locals * branches, offset);
  }
}

/** Decodes a body to its end. */
function checkCode(
  instructions: InstructionReader,
  { code }: FunctionBody,
  locals: number,
  budget: Budget,
): Counts {
  const counts = { branches: 0, loops: 0, heavy: 0 };
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
    if (HEAVY.has(opcode)) counts.heavy++;
    if (!BRANCHING.has(opcode)) continue;
    counts.branches++;
    if (opcode === LOOP) counts.loops++;
    if (opcode === BR_TABLE) {
      budget.check("branchTableTargets", instructions.first, instructions.start);
      targets += instructions.first;
      budget.check("functionBranchTargets", targets, instructions.start);
    }
  }
  if (instructions.end !== code.end) {
    throw malformed(instructions.end, "there are instructions after the end of a function");
  }
  return counts;
}
