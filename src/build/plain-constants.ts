import { type Range, Reader, Writer } from "../sandbox/binary/bytes.js";
import { type CoreModule, readCoreModule } from "../sandbox/binary/core-module.js";
import { linkPlan } from "../sandbox/link/link-plan.js";
import type { LinkPlan } from "../sandbox/link/plan.js";
import { type Edit, splice } from "./splice.js";

const I32_CONST = 0x41;
const GLOBAL_GET = 0x23;
const I32_ADD = 0x6a;
const END = 0x0b;

/**
 * A component in which no global starts as the sum of an imported global and a constant, as those of a library do
 * that is linked at an address: engines before 2023 do not know such expressions. What is imported is a constant of
 * another module, so that the sum is one too.
 */
export function withoutExtendedConstants(bytes: Uint8Array): Uint8Array {
  const plan = linkPlan(bytes);
  const modules = plan.modules.map(({ start, end }) => readCoreModule(bytes, start, end));
  const edits: Edit[] = [];
  for (const [number, module] of modules.entries()) {
    for (const { init } of module.globalDefinitions) {
      const sum = sumIn(bytes, init);
      const base = sum && importedConstant(plan, modules, number, sum.global);
      if (sum === undefined || base === undefined) continue;
      const out = new Writer();
      out.byte(I32_CONST);
      out.signed((base + sum.added) | 0);
      out.byte(END);
      edits.push({ range: init, bytes: out.view() });
    }
  }
  return splice(bytes, edits);
}

function sumIn(bytes: Uint8Array, { start, end }: Range): { global: number; added: number } | undefined {
  const reader = new Reader(bytes, start, end);
  if (reader.byte() !== GLOBAL_GET) return undefined;
  const global = reader.u32();
  if (reader.byte() !== I32_CONST) return undefined;
  const added = reader.s32();
  return reader.byte() === I32_ADD && reader.byte() === END ? { global, added } : undefined;
}

/** What an imported global of a module is, where every instance of it gets the same constant. */
function importedConstant(
  { steps }: LinkPlan,
  modules: readonly CoreModule[],
  number: number,
  global: number,
): number | undefined {
  const wanted = modules[number]?.imports.find(({ kind, index }) => kind === "global" && index === global);
  const values = steps
    .filter(({ module }) => module === number)
    .map(({ imports }) => {
      const given = imports.find(({ module, name }) => module === wanted?.module && name === wanted.name);
      if (given?.ref.from !== "instance") return undefined;
      const giver = modules[steps[given.ref.instance]?.module ?? -1];
      return giver && exportedConstant(giver, given.ref.name);
    });
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

function exportedConstant(
  { bytes, exports, globalDefinitions, globals, imported }: CoreModule,
  name: string,
): number | undefined {
  const found = exports.find((one) => one.kind === "global" && one.name === name);
  if (found === undefined || globals[found.index]?.mutable !== false) return undefined;
  const init = globalDefinitions[found.index - imported.global]?.init;
  if (init === undefined) return undefined;
  const reader = new Reader(bytes, init.start, init.end);
  if (reader.byte() !== I32_CONST) return undefined;
  const value = reader.s32();
  return reader.byte() === END ? value : undefined;
}
