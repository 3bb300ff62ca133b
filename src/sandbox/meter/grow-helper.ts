import type { CoreModule } from "../binary/core-module.js";
import { ValueTypes } from "../binary/core-types.js";
import { STACK_BITS } from "../meter-contract.js";
import { assemble, NO_TYPE, startBody } from "./assembler.js";
import { ELEMENT_COST, GROWTH_COST, PAGE_COST } from "./cost-table.js";
import type { Helped, Helper, MeterIndices } from "./helper-functions.js";

/**
 * `memory.grow` or `table.grow` within what the whole guest may still grow by: -1 beyond it. What is charged
 * is what has grown, after it has: whether it can is known to the engine only, a growth that fails is free,
 * and the allowance bounds the work that may be done before the charge.
 */
export function growHelper(module: CoreModule, globals: MeterIndices, helped: Helped): Helper {
  const isMemory = helped.name === "memory.grow";
  const { i32, i64 } = ValueTypes;
  const element = module.tables[helped.first]?.element ?? ValueTypes.funcref;
  const operands = isMemory ? [i32] : [element, i32];
  const count = operands.length - 1;
  const fuel = operands.length;
  const result = fuel + 1;
  const allowance = isMemory ? globals.pages : globals.elements;

  const body = startBody("i32");
  const op = (name: string, ...immediates: number[]) => assemble(body, name, ...immediates);

  // The engine would take as long for nothing as for a page.
  op("local.get", count);
  op("i32.eqz");
  op("if", NO_TYPE);
  op(isMemory ? "memory.size" : "table.size", helped.first);
  op("local.get", fuel);
  op("return");
  op("end");

  op("local.get", count);
  op("i64.extend_i32_u");
  op("global.get", allowance);
  op("i64.extend_i32_s");
  op("i64.gt_s");
  op("if", NO_TYPE);
  if (isMemory) {
    op("i32.const", 1);
    op("global.set", globals.refused);
  }
  op("i32.const", -1);
  op("local.get", fuel);
  op("return");
  op("end");

  for (let i = 0; i < operands.length; i++) op("local.get", i);
  op(helped.name, helped.first);
  op("local.tee", result);
  op("i32.const", -1);
  op("i32.ne");
  op("if", NO_TYPE);
  op("global.get", allowance);
  op("local.get", count);
  op("i32.sub");
  op("global.set", allowance);
  op("local.get", fuel);
  op("local.get", count);
  op("i64.extend_i32_u");
  op("i64.const", (isMemory ? PAGE_COST : ELEMENT_COST) * 2 ** STACK_BITS);
  op("i64.mul");
  op("i64.sub");
  if (isMemory) {
    op("i64.const", GROWTH_COST * 2 ** STACK_BITS);
    op("i64.sub");
  }
  op("local.tee", fuel);
  op("i64.const", 0);
  op("i64.lt_s");
  op("if", NO_TYPE);
  op("local.get", fuel);
  op("global.set", globals.fuel);
  op("unreachable");
  op("end");
  op("end");
  op("local.get", result);
  op("local.get", fuel);
  op("end");
  return { type: { params: [...operands, i64], results: [i32, i64] }, body };
}
