import { WasmhookError } from "../../errors.js";
import type { Range } from "../binary/bytes.js";
import { type CoreModule, readCoreModuleSoFar } from "../binary/core-module.js";
import type { Limits } from "../binary/core-types.js";
import type { Budget } from "../inspect/budget.js";
import { checkSections } from "../inspect/check-sections.js";

/** What one core module asks for, as far as it could be read. */
export interface CoreModuleDescription {
  /** Where it starts in the file. */
  offset: number;
  bytes: number;
  /** How many instances of it one instantiation of the file makes. */
  instances: number;
  /** That it defines, without those that it imports. */
  functions: number;
  memories: { minPages: number; maxPages?: number }[];
  tables: { minElements: number; maxElements?: number }[];
}

/** A core module read under the limits; nothing of one that is over them or whose sections are damaged. */
export function readUnderLimits(
  bytes: Uint8Array,
  { start, end }: Range,
  budget: Budget,
): CoreModule | undefined {
  try {
    checkSections(bytes, { start, end }, budget);
  } catch (error) {
    if (error instanceof WasmhookError) return undefined;
    throw error;
  }
  return readCoreModuleSoFar(bytes, start, end).module;
}

export function describeModule(module: CoreModule, instances: number): CoreModuleDescription {
  const { range, imported, functions, memories, tables } = module;
  return {
    offset: range.start,
    bytes: range.end - range.start,
    instances,
    functions: functions.length - imported.func,
    memories: memories.slice(imported.memory).map((memory) => {
      return { minPages: memory.min, ...maximum("maxPages", memory) };
    }),
    tables: tables.slice(imported.table).map((table) => {
      return { minElements: table.min, ...maximum("maxElements", table) };
    }),
  };
}

function maximum<Name extends string>(name: Name, { max }: Limits): { [N in Name]?: number } {
  return (max === undefined ? {} : { [name]: max }) as { [N in Name]?: number };
}
