import { WasmhookError } from "../errors.js";
import { type CoreModule, readCoreModule } from "./binary/core-module.js";
import { checkInitialSizes, type MeterCaps } from "./meter/limits.js";
import { meterCode } from "./meter/meter-code.js";
import { writeModule } from "./meter/write-module.js";
import { METER_NAMESPACE } from "./meter-contract.js";

export interface Metered {
  /** the module to compile in place of the guest's */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What each instance holds from the start, imports not included: the host subtracts it from the allowance. */
  readonly memories: readonly { readonly minPages: number }[];
  readonly tables: readonly { readonly minElements: number }[];
}

/**
 * Rewrites a core module so that it counts its own fuel (see `meter-contract.ts` for what it then imports,
 * `cost-table.ts` for what it pays), ends calls that are nested too deep, grows within its guest's allowances, and
 * has NaNs of one kind. What it computes stays the same but for these; functions, types, memories and tables keep
 * their indices, and all that others may call keeps its type. Sections that nothing here reads are left to the
 * engine's validation, which a metered module passes only if the original did.
 *
 * @param guestThrows whether another module of the same guest has exceptions, which may pass this one
 * @throws WasmhookError `wasm-truncated`, `module-refused` (malformed, or larger than the caps at the start),
 * `feature-refused`, or `import-refused` where the guest imports from the meter's own namespace
 */
export function meterModule(bytes: Uint8Array, caps: MeterCaps, guestThrows = false): Metered {
  const module = readCoreModule(bytes);
  refuseReservedNamespace(module);
  const memories = module.memories.slice(module.imported.memory);
  const tables = module.tables.slice(module.imported.table);
  checkInitialSizes(memories, tables, caps);
  return {
    bytes: writeModule(module, caps, guestThrows || module.tags.length > 0, meterCode),
    memories: memories.map(({ min }) => ({ minPages: min })),
    tables: tables.map(({ min }) => ({ minElements: min })),
  };
}

function refuseReservedNamespace(module: CoreModule): void {
  const found = module.imports.find((candidate) => candidate.module === METER_NAMESPACE);
  if (!found) return;
  const name = `${found.module} ${found.name}`;
  const message = `The module imports "${name}", but ${METER_NAMESPACE} is reserved for counting fuel; build it without that import.`;
  throw new WasmhookError("import-refused", message, { name });
}
