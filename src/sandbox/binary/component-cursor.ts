import type { ModuleLimits } from "../../hooks/module-limits.js";
import type { Reader } from "./bytes.js";
import type { NamedItem } from "./component-definition.js";
import { type Item, Scope, type Sort } from "./component-scope.js";
import { overLimit } from "./over-limit.js";
import { featureRefused, malformed } from "./refusal.js";

/** What bounds the work of reading a component, whatever its bytes say. */
export type ComponentReadLimits = Pick<
  ModuleLimits,
  "componentDepth" | "componentItems" | "componentSections" | "componentInstances" | "coreInstances"
>;

/** A name as it stands in the file: whatever may end up in generated code. */
export interface FoundName {
  readonly text: string;
  readonly offset: number;
}

/** What is known of the whole file while it is read. */
export interface ComponentFile {
  readonly limits: ComponentReadLimits;
  readonly names: FoundName[];
  items: number;
  sections: number;
}

/** What core instances export. */
const CORE_EXPORT_SORTS: Readonly<Record<number, Sort>> = {
  0: "core func",
  1: "core table",
  2: "core memory",
  3: "core global",
  4: "core tag",
};
const CORE_SORTS: Readonly<Record<number, Sort>> = {
  ...CORE_EXPORT_SORTS,
  16: "core type",
  17: "core module",
  18: "core instance",
};
const SORTS: Readonly<Record<number, Sort>> = { 1: "func", 3: "type", 4: "component", 5: "instance" };

/** A place in the component layer: the reader, and the scope whose indices it reads. */
export class Cursor {
  readonly reader: Reader;
  readonly scope: Scope;
  readonly file: ComponentFile;
  private readonly depth: number;

  constructor(reader: Reader, scope: Scope, file: ComponentFile, depth: number) {
    this.reader = reader;
    this.scope = scope;
    this.file = file;
    this.depth = depth;
    const allowed = file.limits.componentDepth;
    if (depth > allowed) {
      throw overLimit("componentDepth", "levels of nesting", depth, allowed, reader.position);
    }
  }

  /** The same scope, with a reader of a section's contents. */
  within(reader: Reader): Cursor {
    return new Cursor(reader, this.scope, this.file, this.depth);
  }

  /** A new scope inside this one. */
  inner(kind: "component" | "type", reader = this.reader): Cursor {
    return new Cursor(reader, new Scope(kind, this.scope), this.file, this.depth + 1);
  }

  /** A vector, each item counted against the limit before it is kept. */
  vector<T>(readItem: () => T): T[] {
    const items: T[] = [];
    for (let count = this.reader.u32(); count > 0; count--) {
      this.file.items++;
      const allowed = this.file.limits.componentItems;
      if (this.file.items > allowed) {
        throw overLimit("componentItems", "items", this.file.items, allowed, this.reader.position);
      }
      items.push(readItem());
    }
    return items;
  }

  /** A plain name: of a core import or export, a field, a case, a parameter. */
  name(): string {
    const offset = this.reader.position;
    const text = this.reader.name();
    this.file.names.push({ text, offset });
    return text;
  }

  /** The name of a component's import or export. 0 and 1 mean the same; 2 brings attributes. */
  externName(): string {
    const form = this.choice("a form of name", { 0: "plain", 1: "plain", 2: "attributes" });
    if (form === "attributes") throw featureRefused(this.reader.position - 1, "a name with attributes");
    return this.name();
  }

  /** Reads an index, and what it stands for. */
  item<S extends Sort>(sort: S): Item<S> {
    const offset = this.reader.position;
    return this.scope.get(sort, this.reader.u32(), offset);
  }

  /** Reads an index of something that exists. */
  index(sort: Sort): number {
    const offset = this.reader.position;
    const index = this.reader.u32();
    this.scope.get(sort, index, offset);
    return index;
  }

  /** Reads the name, the sort and the index of an argument or of a core export. */
  namedItem(readSort: () => Sort): NamedItem {
    const name = this.name();
    const sort = readSort();
    return { name, sort, index: this.index(sort) };
  }

  coreExportSort(): Sort {
    return this.choice("a sort of core export", CORE_EXPORT_SORTS);
  }

  coreSort(): Sort {
    return this.choice("a sort of core item", CORE_SORTS);
  }

  sort(): Sort {
    const start = this.reader.position;
    const byte = this.reader.byte();
    if (byte === 0) return this.coreSort();
    if (byte === 2) throw featureRefused(start, "component values");
    this.reader.position = start;
    return this.choice("a sort of item", SORTS);
  }

  /** Reads one byte that must be a key of `meanings`. */
  choice<T>(what: string, meanings: Readonly<Record<number, T>>): T {
    const offset = this.reader.position;
    const byte = this.reader.byte();
    const meaning = Object.hasOwn(meanings, byte) ? meanings[byte] : undefined;
    if (meaning === undefined) throw malformed(offset, `0x${byte.toString(16)} is not ${what}`);
    return meaning;
  }

  /** An optional part: a byte 0, or a byte 1 and the part. */
  optional<T>(readPart: () => T): T | undefined {
    return this.choice("0 or 1", { 0: false, 1: true }) ? readPart() : undefined;
  }
}
