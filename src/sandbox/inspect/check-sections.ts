import type { ModuleLimits } from "../../hooks/module-limits.js";
import { type Range, Reader } from "../binary/bytes.js";
import { SectionIds } from "../binary/section-ids.js";
import type { Budget } from "./budget.js";

const CORE_HEADER_BYTES = 8;

const VECTORS: Readonly<Record<number, keyof ModuleLimits>> = {
  [SectionIds.type]: "types",
  [SectionIds.import]: "imports",
  [SectionIds.function]: "functions",
  [SectionIds.table]: "tables",
  [SectionIds.memory]: "memories",
  [SectionIds.global]: "globals",
  [SectionIds.export]: "exports",
  [SectionIds.element]: "elementSegments",
  [SectionIds.data]: "dataSegments",
  [SectionIds.tag]: "tags",
};

/**
 * Holds what a core module's sections say about themselves against the limits, before anything is made of
 * their items: a file of a few megabytes can declare enough of them to fill the memory of its reader.
 */
export function checkSections(bytes: Uint8Array, range: Range, budget: Budget): void {
  const reader = new Reader(bytes, range.start, range.end, "the module");
  reader.skip(CORE_HEADER_BYTES);
  while (!reader.done) {
    const offset = reader.position;
    budget.add("sections", 1, offset);
    const id = reader.byte();
    const contents = reader.nest(reader.u32(), `section ${id}`);
    const limit = VECTORS[id];
    if (id === SectionIds.type) budget.check("typeSectionBytes", contents.end - contents.position, offset);
    if (limit !== undefined) budget.add(limit, contents.u32(), offset);
    else if (id === SectionIds.code) checkBodies(contents, budget);
  }
}

function checkBodies(reader: Reader, budget: Budget): void {
  const bodies = reader.u32();
  budget.check("functions", bodies, reader.position);
  for (let count = bodies; count > 0; count--) {
    const offset = reader.position;
    const body = reader.nest(reader.u32(), "a function body");
    budget.check("bodyBytes", body.end - body.position, offset);
    // Each run of locals is kept, an empty one too.
    const runs = body.u32();
    budget.check("functionLocals", runs, offset);
    budget.add("localRuns", runs, offset);
  }
}
