import type { Writer } from "../binary/bytes.js";
import type { LocalsRun } from "../binary/core-module.js";
import type { ValueType } from "../binary/core-types.js";

/**
 * Writes a function's locals with some before and some behind them. The fuel comes right after the parameters,
 * be it a parameter too or the local before; so the guest's first local moves behind its others, and they keep
 * their indices.
 */
export function writeLocals(
  locals: readonly LocalsRun[],
  before: readonly ValueType[],
  behind: readonly ValueType[],
  out: Writer,
): void {
  const moved = locals.findIndex(({ count }) => count > 0);
  const first = locals[moved];
  out.u32(before.length + locals.length + (first ? 1 : 0) + behind.length);
  for (const type of before) writeRun(out, 1, type);
  for (let i = 0; i < locals.length; i++) {
    const { count, type } = locals[i] as LocalsRun;
    writeRun(out, i === moved ? count - 1 : count, type);
  }
  if (first) writeRun(out, 1, first.type);
  for (const type of behind) writeRun(out, 1, type);
}

function writeRun(out: Writer, count: number, type: ValueType): void {
  out.u32(count);
  out.byte(type);
}
