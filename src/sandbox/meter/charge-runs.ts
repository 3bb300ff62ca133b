import { Reader, Writer } from "../binary/bytes.js";
import type { FunctionBody } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { InstructionReader } from "../binary/instructions.js";
import { opcodeNumber } from "../binary/opcodes.js";
import { malformed } from "../binary/refusal.js";
import { assemble, NO_TYPE } from "./assembler.js";
import { FUNCTION_ENTRY_COST, instructionCost } from "./cost-table.js";
import type { CodeContext, MeterStrategy } from "./meter-code.js";

const COPY = 0;
const ENDS_RUN = 1;
const GLOBAL = 2;
const HELPED = 3;

/** What to do with an instruction, by its number. */
const treatment = new Uint8Array(0x1_0000);
const byTreatment: [number, string][] = [
  [ENDS_RUN, "loop if else end br br_if br_table return call call_indirect return_call return_call_indirect"],
  [ENDS_RUN, "unreachable catch catch_all delegate throw rethrow throw_ref"],
  [GLOBAL, "global.get global.set"],
  [HELPED, "memory.grow memory.copy memory.fill memory.init table.grow table.copy table.fill table.init"],
];
for (const [kind, names] of byTreatment) {
  for (const name of names.split(" ")) treatment[opcodeNumber(name)] = kind;
}

const CALL = opcodeNumber("call");
const I64_CONST = opcodeNumber("i64.const");
const LOCAL_GET = opcodeNumber("local.get");
const LOCAL_TEE = opcodeNumber("local.tee");

/**
 * Charges each run of instructions before it executes. A run is entered only at its start and ends with an
 * instruction after which control may go elsewhere, so that what is charged is what is executed; only where
 * an instruction traps are the ones after it in its run charged though they never execute.
 *
 * At each charge: `fuel -= cost; if (fuel < 0) unreachable`. A trap cannot be caught, and the counter stays
 * negative: one run costs less than 2^32, so that it would take 2^31 further entries to wrap.
 */
export const chargeRuns: MeterStrategy = (context) => {
  const instructions = new InstructionReader(context.module);
  const writeCharge = chargeWriter(context.globals.fuel);
  const run = new Writer(4096);
  return (body, parameterCount, out) => {
    const fuelLocal = parameterCount + body.localCount;
    writeLocals(context.module.bytes, body, out);
    writeRuns(context, instructions, writeCharge, run, body, fuelLocal, out);
  };
};

/** The body's locals and one more, an i64. */
function writeLocals(bytes: Uint8Array, body: FunctionBody, out: Writer): void {
  const locals = new Reader(bytes, body.range.start, body.code.start);
  out.u32(locals.u32() + 1);
  out.copy(bytes, locals.position, locals.end);
  out.copy(Uint8Array.of(1, ValueTypes.i64));
}

function writeRuns(
  context: CodeContext,
  instructions: InstructionReader,
  writeCharge: WriteCharge,
  run: Writer,
  body: FunctionBody,
  fuelLocal: number,
  out: Writer,
): void {
  const { bytes } = context.module;
  let cost = FUNCTION_ENTRY_COST;
  // Instructions of the run from here on are not in `run` yet: they are copied as they are.
  let copied = body.code.start;
  instructions.enter(body.code.start, body.code.end, fuelLocal);
  while (instructions.next()) {
    const { opcode } = instructions;
    cost += instructionCost[opcode] as number;
    const kind = treatment[opcode];
    if (kind === COPY) continue;
    if (kind === ENDS_RUN) {
      if (cost > 0) writeCharge(out, cost, fuelLocal);
      if (run.length > 0) out.append(run);
      out.copy(bytes, copied, instructions.end);
      run.clear();
      cost = 0;
    } else {
      run.copy(bytes, copied, instructions.start);
      if (kind === GLOBAL) {
        run.byte(opcode);
        run.u32(context.shiftGlobal(instructions.first));
      } else {
        run.byte(CALL);
        run.u32(context.helpers.indexFor(opcode, instructions.first, instructions.second));
      }
    }
    copied = instructions.end;
  }
  if (instructions.end !== body.code.end) {
    throw malformed(instructions.end, "there are bytes after the end of a function");
  }
}

/** Writes `fuel -= cost; if (fuel < 0) unreachable`, with the local as a register. */
type WriteCharge = (out: Writer, cost: number, fuelLocal: number) => void;

function chargeWriter(fuelGlobal: number): WriteCharge {
  const piece = (...instructions: [string, ...number[]][]) => {
    const out = new Writer();
    for (const [name, ...immediates] of instructions) assemble(out, name, ...immediates);
    return out;
  };
  const getFuel = piece(["global.get", fuelGlobal]);
  const subtract = piece(["i64.sub"]);
  const setFuel = piece(["global.set", fuelGlobal]);
  const trapIfNegative = piece(["i64.const", 0], ["i64.lt_s"], ["if", NO_TYPE], ["unreachable"], ["end"]);
  return (out, cost, fuelLocal) => {
    out.append(getFuel);
    out.byte(I64_CONST);
    out.signed(cost);
    out.append(subtract);
    out.byte(LOCAL_TEE);
    out.u32(fuelLocal);
    out.append(setFuel);
    out.byte(LOCAL_GET);
    out.u32(fuelLocal);
    out.append(trapIfNegative);
  };
}
