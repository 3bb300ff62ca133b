import { DEFAULT_MODULE_LIMITS, type ModuleLimits } from "../hooks/module-limits.js";
import { readComponent } from "./binary/component-reader.js";
import type { Component, ModuleSection } from "./binary/component-types.js";
import { Budget } from "./inspect/budget.js";
import { type ContractUse, checkContract } from "./inspect/check-contract.js";
import { checkModule, type ModuleInspection } from "./inspect/check-module.js";
import { escaped } from "./inspect/escaped.js";
import { checkIsWasm } from "./inspect/file-kind.js";
import { inspectCommand } from "./inspect/inspect-command.js";
import { checkName } from "./inspect/names.js";

/** What a module is, as plain data. */
export interface Inspection extends ContractUse {
  /** A component of the world `hook`, or a core module that is a command of WASI preview 1. */
  kind: "hook" | "command";
  bytes: number;
  /** Every core module, in the order of the file, those of nested components included. */
  modules: ModuleInspection[];
  /** What one instantiation makes. */
  coreInstances: number;
  componentInstances: number;
  /**
   * Of the command or the outermost component, in order, each with its size without its header. A name is such
   * as `canon` or `custom "producers"`, and safe to show.
   */
  sections: { name: string; offset: number; bytes: number }[];
}

/**
 * The first thing that touches untrusted bytes: reads the whole module, refuses what is malformed, too large or
 * not supported, every name that could end up as code, and every import or export that is not exactly the
 * contract's or that of preview 1. Runs nothing of it and makes no engine look at it.
 *
 * @param limits static limits; those left out are as in `DEFAULT_MODULE_LIMITS`
 * @throws WasmhookError `wasm-truncated`, `module-refused`, `feature-refused`, `name-refused`,
 * `core-module`, `version-refused`, `not-a-hook` or `import-refused`
 */
export function inspect(bytes: Uint8Array, limits: Partial<ModuleLimits> = {}): Inspection {
  const budget = new Budget({ ...DEFAULT_MODULE_LIMITS, ...limits });
  checkIsWasm(bytes);
  budget.check("fileBytes", bytes.length);
  return isCoreModule(bytes) ? inspectCommand(bytes, budget) : inspectComponent(bytes, budget);
}

/** Whether this is a core module and no component; one that `inspect` accepts is a command. */
export function isCoreModule(bytes: Uint8Array): boolean {
  return CORE_PREAMBLE.every((byte, i) => bytes[i] === byte);
}

const CORE_PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

function inspectComponent(bytes: Uint8Array, budget: Budget): Inspection {
  const { component, names } = readComponent(bytes, budget.limits);
  for (const { text, offset } of names) checkName(text, `at byte ${offset}`, budget.limits.nameBytes);
  const use = checkContract(component);
  const modules = checkCounts(component, budget);
  const { instantiates } = component;
  return {
    kind: "hook",
    bytes: bytes.length,
    ...use,
    modules: modules.map((module) => {
      return checkModule(bytes, module.range, instantiates.modules.get(module) ?? 0, budget);
    }),
    coreInstances: instantiates.coreInstances,
    componentInstances: instantiates.components,
    sections: component.sections.map(({ name, customName, offset, contents }) => {
      const label = customName === undefined ? name : `${name} ${escaped(customName)}`;
      return { name: label, offset, bytes: contents.end - contents.start };
    }),
  };
}

/** Holds the component layer against the limits, and gathers the core modules. */
function checkCounts(component: Component, budget: Budget): ModuleSection[] {
  const modules: ModuleSection[] = [];
  countDefinitions(component, budget, modules);
  const { instantiates } = component;
  for (const [module, times] of instantiates.modules) {
    budget.check("moduleInstances", times, module.range.start);
  }
  return modules;
}

function countDefinitions(component: Component, budget: Budget, modules: ModuleSection[]): void {
  const { definitions, range } = component;
  budget.add("components", 1, range.start);
  budget.add("componentTypes", definitions.types, range.start);
  budget.add("canons", definitions.canons, range.start);
  budget.add("aliases", definitions.aliases, range.start);
  budget.add("coreModules", component.modules.length, range.start);
  modules.push(...component.modules);
  for (const inner of component.components) countDefinitions(inner, budget, modules);
}
