import { WasmhookError } from "../errors.js";
import { Writer } from "./binary/bytes.js";
import { type CoreModule, readCoreModule } from "./binary/core-module.js";
import { SectionIds } from "./binary/section-ids.js";
import { chargeRuns } from "./meter/charge-runs.js";
import { HelperFunctions } from "./meter/helper-functions.js";
import { checkInitialSizes, type MeterCaps } from "./meter/limits.js";
import { type Rewrite, sectionWriters } from "./meter/sections.js";
import { METER_GLOBAL_ORDER, METER_NAMESPACE } from "./meter-contract.js";

export interface Metered {
  /** the module to compile in place of the guest's */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What each instance holds from the start, imports not included: the host subtracts it from the allowance. */
  readonly memories: readonly { readonly minPages: number }[];
  readonly tables: readonly { readonly minElements: number }[];
}

const HEADER_BYTES = 8;

/** Custom sections that hold offsets into the code, or say where such are. */
const OFFSETS = /^(\.debug_.*|reloc\..*|linking|sourceMappingURL|metadata\.code\..*)$/;

/**
 * Rewrites a core module so that it counts its own fuel (see `meter-contract.ts` for what it then imports,
 * `cost-table.ts` for what it pays) and grows within its guest's allowances. What it computes stays the same;
 * functions, types, memories and tables keep their indices. Sections that nothing here reads are left to the
 * engine's validation, which a metered module passes only if the original did.
 *
 * @throws WasmhookError `wasm-truncated`, `module-refused` (malformed, or larger than the caps at the start),
 * `feature-refused`, or `import-refused` where the guest imports from the meter's own namespace
 */
export function meterModule(bytes: Uint8Array, caps: MeterCaps): Metered {
  const module = readCoreModule(bytes);
  refuseReservedNamespace(module);
  const memories = module.memories.slice(module.imported.memory);
  const tables = module.tables.slice(module.imported.table);
  checkInitialSizes(memories, tables, caps);
  return {
    bytes: writeModule(module, caps),
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

function writeModule(module: CoreModule, caps: MeterCaps): Uint8Array<ArrayBuffer> {
  const firstOwn = module.imported.global;
  const globals = { fuel: firstOwn, pages: firstOwn + 1, elements: firstOwn + 2, refused: firstOwn + 3 };
  const helpers = new HelperFunctions(module, globals);
  const shiftGlobal = (index: number) => (index < firstOwn ? index : index + METER_GLOBAL_ORDER.length);
  const code = { module, globals, helpers, shiftGlobal };
  const rewrite: Rewrite = { ...code, caps, meterBody: chargeRuns(code) };

  const present = new Set(module.sections.map(({ id }) => id));
  const contents = new Map<number, Writer>();
  // The code goes first: it decides which helper functions the other sections declare.
  for (const id of [SectionIds.code, ...sectionWriters.keys()]) {
    if (contents.has(id) || !(present.has(id) || id === SectionIds.import)) continue;
    const content = new Writer();
    sectionWriters.get(id)?.(rewrite, content);
    contents.set(id, content);
  }
  return joinSections(module, contents);
}

/** The module's sections in their order, with `contents` where there is one; imports where there were none. */
function joinSections(module: CoreModule, contents: ReadonlyMap<number, Writer>): Uint8Array<ArrayBuffer> {
  const out = new Writer(module.bytes.length * 2);
  out.copy(module.bytes, module.range.start, module.range.start + HEADER_BYTES);
  const write = (id: number) => {
    const content = contents.get(id) ?? new Writer();
    out.byte(id);
    out.u32(content.length);
    out.append(content);
  };
  let importsWritten = false;
  const writeMissingImports = () => {
    if (!importsWritten) write(SectionIds.import);
    importsWritten = true;
  };
  for (const { id, name, range } of module.sections) {
    if (name !== undefined && OFFSETS.test(name)) continue;
    if (id === SectionIds.import) importsWritten = true;
    else if (id !== SectionIds.custom && id !== SectionIds.type) writeMissingImports();
    if (contents.has(id)) write(id);
    else out.copy(module.bytes, range.start, range.end);
  }
  writeMissingImports();
  return out.take();
}
