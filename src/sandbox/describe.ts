import { WasmhookError } from "../errors.js";
import { DEFAULT_MODULE_LIMITS } from "../hooks/module-limits.js";
import { readComponentSoFar } from "./binary/component-reader.js";
import type { Component, ModuleSection } from "./binary/component-types.js";
import { type CoreModuleDescription, describeModule } from "./describe/describe-module.js";
import {
  describeCoreExports,
  describeCoreImports,
  describeExterns,
  type ExternDescription,
} from "./describe/externs.js";
import { type FileKind, fileSections } from "./describe/file-sections.js";
import { type Producer, producersOf } from "./describe/producers.js";
import { type SectionSize, sectionSizes } from "./describe/section-sizes.js";
import { Budget } from "./inspect/budget.js";
import { CONTRACT } from "./inspect/contract.js";
import { inspect } from "./inspect.js";
import { PREVIEW1 } from "./wasi/preview1/signatures.js";

/** What a reviewer wants to know of a file before anybody runs it. Names are as they are in the file. */
export interface FileDescription {
  kind: FileKind;
  bytes: number;
  /** Why no hook may name it; absent where it passes all checks that are made before anything is compiled. */
  refusal?: WasmhookError;
  /** What it was built for, where it is accepted: such as `wasmhook:hook/hook@1.0.0`. */
  world?: string;
  imports: ExternDescription[];
  exports: ExternDescription[];
  coreModules: CoreModuleDescription[];
  producers: Producer[];
  sections: SectionSize[];
}

/**
 * Describes a file with our own reader alone, under the default limits: nothing of it is compiled or run. Of a file
 * that is refused, it tells what could be read.
 */
export function describeFile(bytes: Uint8Array): FileDescription {
  const { kind, sections } = fileSections(bytes, DEFAULT_MODULE_LIMITS);
  return {
    kind,
    bytes: bytes.length,
    ...verdict(bytes),
    ...CONTENTS[kind](bytes),
    producers: producersOf(bytes, sections),
    sections: sectionSizes(sections),
  };
}

function verdict(bytes: Uint8Array): Pick<FileDescription, "refusal" | "world"> {
  try {
    const { kind, version } = inspect(bytes);
    return { world: kind === "command" ? `${PREVIEW1} (command)` : `${CONTRACT.package}/hook@${version}` };
  } catch (error) {
    if (error instanceof WasmhookError) return { refusal: error };
    throw error;
  }
}

type Contents = Pick<FileDescription, "imports" | "exports" | "coreModules">;

const CONTENTS: Readonly<Record<FileKind, (bytes: Uint8Array) => Contents>> = {
  component(bytes) {
    const { component } = readComponentSoFar(bytes, DEFAULT_MODULE_LIMITS);
    const { modules: instances } = component.instantiates;
    const budget = new Budget(DEFAULT_MODULE_LIMITS);
    return {
      imports: describeExterns(component.imports),
      exports: describeExterns(component.exports),
      coreModules: allModules(component).map((section) => {
        return describeModule(bytes, section.range, instances.get(section) ?? 0, budget).description;
      }),
    };
  },
  "core module"(bytes) {
    const range = { start: 0, end: bytes.length };
    const { description, module } = describeModule(bytes, range, 1, new Budget(DEFAULT_MODULE_LIMITS));
    return {
      imports: module === undefined ? [] : describeCoreImports(module),
      exports: module === undefined ? [] : describeCoreExports(module),
      coreModules: [description],
    };
  },
  neither: () => ({ imports: [], exports: [], coreModules: [] }),
};

function allModules({ modules, components }: Component): ModuleSection[] {
  return [...modules, ...components.flatMap(allModules)];
}
