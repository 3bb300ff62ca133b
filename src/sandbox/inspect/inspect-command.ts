import { readCoreModule, type Section } from "../binary/core-module.js";
import { SectionIds } from "../binary/section-ids.js";
import type { Inspection } from "../inspect.js";
import { PREVIEW1 } from "../wasi/preview1/signatures.js";
import type { Budget } from "./budget.js";
import { checkCommand } from "./check-command.js";
import { checkModule } from "./check-module.js";
import { escaped } from "./escaped.js";

/** What `inspect` does with a core module: it is to be a command. */
export function inspectCommand(bytes: Uint8Array, budget: Budget): Inspection {
  const inspection = checkModule(bytes, { start: 0, end: bytes.length }, 1, budget);
  const module = readCoreModule(bytes);
  const functions = checkCommand(module);
  return {
    kind: "command",
    bytes: bytes.length,
    version: "preview1",
    imports: functions.length === 0 ? [] : [{ name: PREVIEW1, functions, types: [] }],
    exports: [],
    modules: [inspection],
    coreInstances: 1,
    componentInstances: 0,
    sections: module.sections.map(({ range, content, ...section }) => {
      return { name: nameOf(section), offset: range.start, bytes: content.end - content.start };
    }),
  };
}

function nameOf({ id, name }: Pick<Section, "id" | "name">): string {
  if (name !== undefined) return `custom ${escaped(name)}`;
  return Object.entries(SectionIds).find(([, one]) => one === id)?.[0] ?? `${id}`;
}
