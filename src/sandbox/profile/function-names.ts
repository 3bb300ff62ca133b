import { printableLine } from "../../hooks/printable.js";
import { Reader } from "../binary/bytes.js";
import type { CoreModule } from "../binary/core-module.js";

const FUNCTION_NAMES = 1;
/** Of a name that is shown; those of some toolchains are whole types. */
const NAME_COLUMNS = 100;

/**
 * What the functions that a module defines are called, safe to show: by its name section, else as it exports them, else
 * by their index. https://webassembly.github.io/spec/core/appendix/custom.html#name-section
 */
export function functionNames(module: CoreModule): string[] {
  const names = new Map<number, string>();
  for (const { kind, index, name } of module.exports) {
    // Linkers number what they export to each other.
    if (kind === "func" && !/^\d+$/.test(name)) names.set(index, name);
  }
  for (const [index, name] of namedBySection(module)) names.set(index, name);
  return module.bodies.map((_, i) => {
    const index = module.imported.func + i;
    const name = names.get(index);
    return name === undefined ? `func ${index}` : printableLine(name, NAME_COLUMNS);
  });
}

/** What can be read of it: nothing depends on the section, and an engine ignores one that is damaged. */
function namedBySection({ bytes, sections }: CoreModule): Map<number, string> {
  const found = new Map<number, string>();
  const section = sections.find(({ name }) => name === "name");
  if (section === undefined) return found;
  try {
    const reader = new Reader(bytes, section.content.start, section.content.end);
    while (!reader.done) {
      const id = reader.byte();
      const part = reader.nest(reader.u32(), "the name section");
      if (id !== FUNCTION_NAMES) continue;
      for (let left = part.u32(); left > 0; left--) found.set(part.u32(), part.name());
    }
  } catch {
    // What was read until then stands.
  }
  return found;
}
