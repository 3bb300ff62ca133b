import { Writer } from "#src/sandbox/binary/bytes";
import { type CoreModule, readCoreModule } from "#src/sandbox/binary/core-module";
import { InstructionReader } from "#src/sandbox/binary/instructions";
import { opcodeName, opcodeNumber } from "#src/sandbox/binary/opcodes";
import { AddedTypes } from "#src/sandbox/meter/added-types";
import { assemble } from "#src/sandbox/meter/assembler";
import { Conventions } from "#src/sandbox/meter/conventions";
import { entryCost, instructionCost } from "#src/sandbox/meter/cost-table";
import { HelperFunctions } from "#src/sandbox/meter/helper-functions";
import { ModulePlan } from "#src/sandbox/meter/module-plan";
import { type MeterCode, writeModule } from "#src/sandbox/meter/write-module";
import { STACK_BITS } from "#src/sandbox/meter-contract";
import { TEST_CAPS } from "./metered.js";

const GLOBAL_GET = opcodeNumber("global.get");
const GLOBAL_SET = opcodeNumber("global.set");
const HELPED = new Set(
  "memory.grow memory.copy memory.fill memory.init table.grow table.copy table.fill table.init".split(" "),
);

/**
 * The cost table, obeyed literally: before each instruction its cost is taken off the global. Nothing is
 * merged, moved or tested, so that the fuel of a program that ends is what it executed.
 */
const chargeEach: MeterCode = (module, globals, shiftGlobal, unwinds) => {
  const types = new AddedTypes(module);
  const helpers = new HelperFunctions(module, globals, types);
  // Nothing is known to be called, and every table to be used, so that every function keeps its type.
  const plan = new ModulePlan(module, helpers);
  plan.usedTables.fill(1);
  const conventions = new Conventions(module, plan, [], types, globals.fuel);
  helpers.firstIndex = module.functions.length;
  const instructions = new InstructionReader(module);
  const bodies = new Writer();
  for (const [i, body] of module.bodies.entries()) {
    const out = new Writer();
    const op = (name: string, ...immediates: number[]) => assemble(out, name, ...immediates);
    const charge = (cost: number) => {
      if (cost === 0) return;
      op("global.get", globals.fuel);
      op("i64.const", cost * 2 ** STACK_BITS);
      op("i64.sub");
      op("global.set", globals.fuel);
    };
    const type = module.types[module.functions[module.imported.func + i]!]!;
    out.copy(module.bytes, body.range.start, body.code.start);
    charge(entryCost(body, unwinds));
    instructions.enter(body.code.start, body.code.end, type.params.length + body.localCount);
    while (instructions.next()) {
      const { opcode, first, second } = instructions;
      charge(instructionCost[opcode]!);
      if (opcode === GLOBAL_GET || opcode === GLOBAL_SET) {
        op(opcodeName(opcode), shiftGlobal(first));
      } else if (HELPED.has(opcodeName(opcode))) {
        op("global.get", globals.fuel);
        op("call", helpers.index(helpers.numberFor(opcode, first, second)));
        op("global.set", globals.fuel);
      } else {
        out.copy(module.bytes, instructions.start, instructions.end);
      }
    }
    bodies.u32(out.length);
    bodies.append(out);
  }
  for (const { body } of helpers.all) {
    bodies.u32(body.length);
    bodies.append(body);
  }
  return { types, conventions, bodies, addedFunctions: helpers.all };
};

/** A module that charges for each instruction by itself: slow, and right by its looks. */
export function naivelyMetered(bytes: Uint8Array, caps = TEST_CAPS): Uint8Array<ArrayBuffer> {
  const module: CoreModule = readCoreModule(bytes);
  return writeModule(module, caps, module.tags.length > 0, chargeEach);
}
