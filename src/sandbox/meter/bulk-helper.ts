import type { Writer } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";
import { type ValueType, ValueTypes } from "../binary/core-types.js";
import { STACK_BITS } from "../meter-contract.js";
import { assemble, NO_TYPE, startBody } from "./assembler.js";
import { BYTE_COST, ELEMENT_COST } from "./cost-table.js";
import type { Helped, Helper, MeterIndices } from "./helper-functions.js";

const DESTINATION = 0;
const SOURCE = 1;
const LENGTH = 2;
const FUEL = 3;

/** Something with a size that the operation must stay within; `operand` is the local with the start. */
interface Bound {
  readonly operand: number;
  /** pushes the size as an i64 */
  readonly size: (out: Writer) => void;
}

/**
 * `memory.copy`, `memory.fill`, `memory.init`, `table.copy`, `table.fill` or `table.init`, charged in
 * proportion to its length. Without the fuel for that it runs only if it is out of bounds, hence traps: so
 * an operation that traps costs nothing more than its instruction, and one that cannot be paid never runs.
 */
export function bulkHelper(module: CoreModule, globals: MeterIndices, helped: Helped): Helper {
  const { i32, i64, funcref } = ValueTypes;
  const isMemory = helped.name.startsWith("memory.");
  const isInit = helped.name.endsWith(".init");
  const element = module.tables[helped.first]?.element ?? funcref;
  const value: ValueType = helped.name === "table.fill" ? element : i32;
  const unitCost = isMemory ? BYTE_COST : ELEMENT_COST;
  // The immediates of an `init` are the segment, then where it goes to.
  const instruction = (out: Writer) =>
    helped.name.endsWith(".fill")
      ? assemble(out, helped.name, helped.first)
      : assemble(out, helped.name, helped.first, helped.second);

  const body = startBody();
  const op = (name: string, ...immediates: number[]) => assemble(body, name, ...immediates);
  const pushCost = () => {
    op("local.get", LENGTH);
    op("i64.extend_i32_u");
    op("i64.const", unitCost);
    op("i64.mul");
  };

  // It may trap, and the fuel is to be known then.
  op("local.get", FUEL);
  op("global.set", globals.fuel);
  pushCost();
  op("local.get", FUEL);
  op("i64.const", STACK_BITS);
  op("i64.shr_s");
  op("i64.gt_s");
  op("if", NO_TYPE);
  for (const [i, bound] of boundsOf(module, helped, isMemory).entries()) {
    pushInBounds(body, bound);
    if (i > 0) op("i32.and");
  }
  op("if", NO_TYPE);
  if (isInit) {
    // A dropped segment is empty, which only the engine knows: an `init` of length 0 asks it.
    op("i32.const", 0);
    op("local.get", SOURCE);
    op("local.get", LENGTH);
    op("i32.add");
    op("i32.const", 0);
    instruction(body);
  }
  op("i64.const", -(2 ** STACK_BITS));
  op("global.set", globals.fuel);
  op("unreachable");
  op("end");
  op("end");

  op("local.get", DESTINATION);
  op("local.get", SOURCE);
  op("local.get", LENGTH);
  instruction(body);
  op("local.get", FUEL);
  pushCost();
  op("i64.const", STACK_BITS);
  op("i64.shl");
  op("i64.sub");
  op("end");
  return { type: { params: [i32, value, i32, i64], results: [i64] }, body };
}

function boundsOf(module: CoreModule, helped: Helped, isMemory: boolean): Bound[] {
  const space = (operand: number, index: number): Bound => ({
    operand,
    size: (out) => {
      assemble(out, isMemory ? "memory.size" : "table.size", index);
      assemble(out, "i64.extend_i32_u");
      if (!isMemory) return;
      assemble(out, "i64.const", 16);
      assemble(out, "i64.shl");
    },
  });
  if (helped.name.endsWith(".fill")) return [space(DESTINATION, helped.first)];
  if (helped.name.endsWith(".copy")) return [space(DESTINATION, helped.first), space(SOURCE, helped.second)];
  const data = module.data[helped.first]?.content;
  const length = isMemory ? (data ? data.end - data.start : 0) : (module.elements[helped.first]?.count ?? 0);
  const segment: Bound = { operand: SOURCE, size: (out) => assemble(out, "i64.const", length) };
  return [space(DESTINATION, helped.second), segment];
}

/** Pushes 1 if the operand plus the length is within the bound, else 0; in 64 bits, so that it cannot wrap. */
function pushInBounds(out: Writer, { operand, size }: Bound): void {
  assemble(out, "local.get", operand);
  assemble(out, "i64.extend_i32_u");
  assemble(out, "local.get", LENGTH);
  assemble(out, "i64.extend_i32_u");
  assemble(out, "i64.add");
  size(out);
  assemble(out, "i64.le_u");
}
