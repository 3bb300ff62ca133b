import { WasmhookError } from "../../errors.js";
import type { ModuleLimits } from "../../hooks/module-limits.js";
import { type Range, Reader } from "../binary/bytes.js";
import { COMPONENT_SECTION_NAMES, readPreamble } from "../binary/component-reader.js";
import { SectionIds } from "../binary/section-ids.js";

export type FileKind = "component" | "core module" | "neither";

/** A section as it stands in a file, those of what is nested in it included. */
export interface FoundSection {
  /** Of its kind, such as `canon`, `code` or `custom`. */
  name: string;
  /** A custom section's own name, as it is in the file. */
  customName: string | undefined;
  /** Without its id and size; of a custom section without its name too. */
  contents: Range;
  /** With its id and size. */
  bytes: number;
  sections: FoundSection[];
}

const CORE_SECTION_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(SectionIds).map(([name, id]) => [id, name === "dataCount" ? "data count" : name]),
);
const CORE_MODULE = 1;
const COMPONENT = 4;

/** What a file announces itself to be, and its sections: in a damaged file, those before the damage. */
export function fileSections(
  bytes: Uint8Array,
  limits: Readonly<ModuleLimits>,
): { kind: FileKind; sections: FoundSection[] } {
  const walk = new Walk(limits);
  const sections: FoundSection[] = [];
  const reader = new Reader(bytes, 0, bytes.length, "the file");
  return { kind: walk.into(sections, reader, 1) ?? "neither", sections };
}

class Walk {
  private readonly depthLimit: number;
  private sectionsLeft: number;

  constructor({ componentDepth, componentSections, sections }: Readonly<ModuleLimits>) {
    this.depthLimit = componentDepth;
    this.sectionsLeft = componentSections + sections;
  }

  /** Reads a component or a core module from its preamble on, and ends without a word where that cannot go on. */
  into(found: FoundSection[], reader: Reader, depth: number): FileKind | undefined {
    let kind: FileKind | undefined;
    try {
      kind = readPreamble(reader);
      while (!reader.done && this.sectionsLeft-- > 0) this.section(found, reader, kind, depth);
    } catch (error) {
      // Whoever reads the file in earnest says what is wrong with it.
      if (!(error instanceof WasmhookError)) throw error;
    }
    return kind;
  }

  private section(found: FoundSection[], reader: Reader, kind: FileKind, depth: number): void {
    const start = reader.position;
    const id = reader.byte();
    const names = kind === "component" ? COMPONENT_SECTION_NAMES : CORE_SECTION_NAMES;
    const name = names[id] ?? `unknown ${id}`;
    const contents = reader.nest(reader.u32(), "a section");
    const customName = id === SectionIds.custom ? contents.name() : undefined;
    const range = { start: contents.position, end: contents.end };
    const sections: FoundSection[] = [];
    found.push({ name, customName, contents: range, bytes: reader.position - start, sections });
    const nests = kind === "component" && (id === CORE_MODULE || id === COMPONENT);
    if (nests && depth < this.depthLimit) this.into(sections, contents, depth + 1);
  }
}
