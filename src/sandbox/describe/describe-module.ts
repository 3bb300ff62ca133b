import { WasmhookError } from "../../errors.js";
import type { Range } from "../binary/bytes.js";
import { type CoreModule, readCoreModuleSoFar } from "../binary/core-module.js";
import type { Limits } from "../binary/core-types.js";
import type { Budget } from "../inspect/budget.js";
import { checkSections } from "../inspect/check-sections.js";

/** What one core module asks for. */
export interface CoreModuleDescription {
  /** Where it starts in the file. */
  offset: number;
  bytes: number;
  /** How many instances of it one instantiation of the file makes. */
  instances: number;
  /** Whether all of it could be read; otherwise it has what is told here, and perhaps more. */
  whole: boolean;
  /** That it defines, without those that it imports. */
  functions: number;
  memories: { minPages: number; maxPages?: number }[];
  tables: { minElements: number; maxElements?: number }[];
}

export interface ReadModule {
  description: CoreModuleDescription;
  /** Absent where its sections are damaged or over the limits, so that nothing is made of their items. */
  module?: CoreModule;
}

/** Reads a core module as far as the limits and its bytes allow. */
export function describeModule(
  bytes: Uint8Array,
  range: Range,
  instances: number,
  budget: Budget,
): ReadModule {
  const place = { offset: range.start, bytes: range.end - range.start, instances };
  try {
    checkSections(bytes, range, budget);
  } catch (error) {
    if (!(error instanceof WasmhookError)) throw error;
    return { description: { ...place, whole: false, functions: 0, memories: [], tables: [] } };
  }
  const { module, refusal } = readCoreModuleSoFar(bytes, range.start, range.end);
  const { imported, functions, memories, tables } = module;
  const description = {
    ...place,
    whole: refusal === undefined,
    functions: functions.length - imported.func,
    memories: memories.slice(imported.memory).map((memory) => {
      return { minPages: memory.min, ...maximum("maxPages", memory) };
    }),
    tables: tables.slice(imported.table).map((table) => {
      return { minElements: table.min, ...maximum("maxElements", table) };
    }),
  };
  return { description, module };
}

function maximum<Name extends string>(name: Name, { max }: Limits): { [N in Name]?: number } {
  return (max === undefined ? {} : { [name]: max }) as { [N in Name]?: number };
}
