import { Reader, type Writer } from "../binary/bytes.js";
import type { FunctionBody } from "../binary/core-module.js";
import type { ValueType } from "../binary/core-types.js";

/**
 * Writes a function's locals with some before and some behind them. The fuel comes right after the parameters,
 * be it a parameter too or the local before; so the guest's first local moves behind its others, and they keep
 * their indices.
 */
export function writeLocals(
  bytes: Uint8Array,
  { range, code, locals }: FunctionBody,
  before: readonly ValueType[],
  behind: readonly ValueType[],
  out: Writer,
): void {
  const moved = locals.findIndex(({ count }) => count > 0);
  const first = locals[moved];
  out.u32(before.length + locals.length + (first ? 1 : 0) + behind.length);
  for (const type of before) writeRun(out, 1, type);
  for (const [i, { count, type }] of locals.entries()) {
    if (i <= moved) writeRun(out, i === moved ? count - 1 : count, type);
  }
  const runs = new Reader(bytes, range.start, code.start);
  for (let skip = 1 + 2 * (moved + 1); skip > 0; skip--) runs.u32();
  out.copy(bytes, runs.position, runs.end);
  if (first) writeRun(out, 1, first.type);
  for (const type of behind) writeRun(out, 1, type);
}

function writeRun(out: Writer, count: number, type: ValueType): void {
  out.u32(count);
  out.byte(type);
}
