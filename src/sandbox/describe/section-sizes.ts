import type { FoundSection } from "./file-sections.js";

/** What sections of one name take together; a core module or a component stands for itself. */
export interface SectionSize {
  /** Such as `canon`, or `custom` with a `customName`. */
  name: string;
  customName?: string;
  /** How many there are. */
  count: number;
  /** With their headers. */
  bytes: number;
  /** Of what is nested in it. */
  sections?: SectionSize[];
}

/** Sums up sections by name, in the order of the file. */
export function sectionSizes(sections: readonly FoundSection[]): SectionSize[] {
  const sizes = new Map<string, SectionSize>();
  for (const [i, { name, customName, bytes, sections: inner }] of sections.entries()) {
    const key = inner.length > 0 ? `${i}` : JSON.stringify([name, customName]);
    const size = sizes.get(key);
    if (size === undefined) {
      sizes.set(key, {
        name,
        ...(customName === undefined ? {} : { customName }),
        count: 1,
        bytes,
        ...(inner.length === 0 ? {} : { sections: sectionSizes(inner) }),
      });
    } else {
      size.count++;
      size.bytes += bytes;
    }
  }
  return [...sizes.values()];
}
