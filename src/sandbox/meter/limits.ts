import { WasmhookError } from "../../errors.js";
import type { Writer } from "../binary/bytes.js";
import type { Limits, MemoryType, TableType } from "../binary/core-types.js";

/** The largest sizes that a module may declare. */
export interface MeterCaps {
  /** of 64 KiB each, over all memories of the guest */
  readonly memoryPages: number;
  /** over all tables of the guest */
  readonly tableElements: number;
}

/**
 * Writes a memory's type. What the module defines always gets a maximum, at most the cap; what it imports
 * keeps having none, since a stated maximum is a demand on the exporter, whose own maximum is capped alike.
 */
export function writeMemoryType(out: Writer, type: MemoryType, caps: MeterCaps, imported: boolean): void {
  writeLimits(out, type, caps.memoryPages, imported);
}

/** Writes a table's type, as `writeMemoryType` does a memory's. */
export function writeTableType(out: Writer, type: TableType, caps: MeterCaps, imported: boolean): void {
  out.byte(type.element);
  writeLimits(out, type, caps.tableElements, imported);
}

function writeLimits(out: Writer, { min, max }: Limits, cap: number, imported: boolean): void {
  if (imported && max === undefined) {
    out.byte(0);
    out.u32(min);
    return;
  }
  out.byte(1);
  out.u32(min);
  out.u32(Math.min(max ?? cap, cap));
}

/** @throws WasmhookError `module-refused` where the module starts with more than a cap allows */
export function checkInitialSizes(
  memories: readonly MemoryType[],
  tables: readonly TableType[],
  caps: MeterCaps,
): void {
  const pages = memories.reduce((sum, { min }) => sum + min, 0);
  if (pages > caps.memoryPages) {
    throw tooLarge("memoryPages", `memories start with ${pages} pages of 64 KiB`, caps.memoryPages);
  }
  const elements = tables.reduce((sum, { min }) => sum + min, 0);
  if (elements > caps.tableElements) {
    throw tooLarge("tableElements", `tables start with ${elements} elements`, caps.tableElements);
  }
}

function tooLarge(limit: keyof MeterCaps, what: string, cap: number): Error {
  const message = `The module's ${what}, over the limit of ${cap}; raise the limit or build it with less.`;
  return new WasmhookError("module-refused", message, { limit });
}
