import { WasmhookError } from "../errors.js";
import { DEFAULT_MODULE_LIMITS, type ModuleLimits } from "../hooks/module-limits.js";
import { Reader } from "./binary/bytes.js";
import { readComponent, readPreamble } from "./binary/component-reader.js";
import type { Component, ModuleSection } from "./binary/component-types.js";
import { Budget } from "./inspect/budget.js";
import { type ContractUse, checkContract } from "./inspect/check-contract.js";
import { checkModule, type ModuleInspection } from "./inspect/check-module.js";
import { escaped } from "./inspect/escaped.js";
import { checkIsWasm } from "./inspect/file-kind.js";
import { checkName } from "./inspect/names.js";

/** What a component is, as plain data. */
export interface Inspection extends ContractUse {
  kind: "hook";
  bytes: number;
  /** Every core module, in the order of the file, those of nested components included. */
  modules: ModuleInspection[];
  /** What one instantiation of the component makes. */
  coreInstances: number;
  componentInstances: number;
  /**
   * Of the outermost component, in order, each with its size without its header. A name is such as `canon`
   * or `custom "producers"`, and safe to show.
   */
  sections: { name: string; offset: number; bytes: number }[];
}

/**
 * The first thing that touches untrusted bytes: reads the whole component, refuses what is malformed, too
 * large or not supported, every name that could end up as code, and every import or export that is not
 * exactly the contract's. Runs nothing of it and makes no engine look at it.
 *
 * @param limits static limits; those left out are as in `DEFAULT_MODULE_LIMITS`
 * @throws WasmhookError `wasm-truncated`, `module-refused`, `feature-refused`, `name-refused`,
 * `core-module`, `version-refused`, `not-a-hook` or `import-refused`
 */
export function inspect(bytes: Uint8Array, limits: Partial<ModuleLimits> = {}): Inspection {
  const budget = new Budget({ ...DEFAULT_MODULE_LIMITS, ...limits });
  checkIsWasm(bytes);
  budget.check("fileBytes", bytes.length);
  if (readPreamble(new Reader(bytes, 0, bytes.length, "its preamble")) === "core module") throw coreModule();
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

function coreModule(): WasmhookError {
  const message =
    "This is a core WebAssembly module, and a hook is a component: make one of it with `wasmhook build` (AssemblyScript), or with `wasm-tools component new` and the world hook of wit/hook.wit embedded.";
  return new WasmhookError("core-module", message, {});
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
