import { ValueTypes } from "#src/sandbox/binary/core-types";
import { expression, place } from "./expression.js";
import type { Scope } from "./scope.js";
import { DATA_BYTES, SEGMENT_ELEMENTS } from "./shapes.js";
import { onCondition } from "./statement.js";

const { i32, funcref } = ValueTypes;

/** An instruction that works on many bytes or elements, now and then out of bounds. */
export function bulk(scope: Scope): void {
  const { code, random } = scope;
  const isFree = random.once(25);
  const at = (mask: number) => {
    if (isFree) expression(scope, i32);
    else place(scope, mask);
  };
  switch (random.below(8)) {
    case 0:
      for (const mask of [0x3ff, 0xff, 0xff]) at(mask);
      code.op("memory.fill", 0);
      return;
    case 1:
      for (const mask of [0x3ff, 0x3ff, 0xff]) at(mask);
      code.op("memory.copy", 0, 0);
      return;
    case 2:
      for (const mask of [0x3ff, 7, DATA_BYTES >> 1]) at(mask);
      code.op("memory.init", 0, 0);
      return;
    case 3:
      onCondition(scope, () =>
        random.once(6) ? code.op(random.pick(["data.drop", "elem.drop"]), 0) : code.op("nop"),
      );
      return;
    case 4:
      for (const mask of [3, 3, 3]) at(mask);
      code.op("table.copy", 1, random.below(2));
      return;
    case 5:
      for (const mask of [7, 1, SEGMENT_ELEMENTS >> 1]) at(mask);
      code.op("table.init", 0, 1);
      return;
    case 6:
      at(3);
      expression(scope, funcref);
      at(3);
      code.op("table.fill", 1);
      return;
    default:
      at(7);
      expression(scope, funcref);
      code.op("table.set", random.once(20) ? 0 : 1);
      return;
  }
}
