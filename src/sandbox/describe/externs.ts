import type { Extern, Externs } from "../binary/component-types.js";
import type { CoreModule } from "../binary/core-module.js";
import { coreTypeText } from "../inspect/core-type-text.js";
import { witText } from "../inspect/wit-text.js";

/** Something that a file imports or exports. */
export interface ExternDescription {
  /** As it is in the file. */
  name: string;
  /** As WIT writes it, or in words for a core module; a long one is cut. */
  type?: string;
  /** What an interface holds, or of a core module what it imports from one module. */
  items?: ExternDescription[];
  /** How many of its items are not listed. */
  omitted?: number;
}

/** Types share their parts: written out, a small file can declare millions of items. */
const MOST_ITEMS = 500;

/** The imports or the exports of a component. Of all that its interfaces hold, 500 items are listed. */
export function describeExterns(externs: Externs): ExternDescription[] {
  let left = MOST_ITEMS;
  return Array.from(externs.values(), (extern) => {
    const { name } = extern;
    if (extern.sort !== "instance") return left-- > 0 ? { name, type: typeText(extern) } : { name };
    const { exports } = extern.type;
    const items = [];
    for (const item of exports.values()) {
      if (left-- <= 0) break;
      items.push({ name: item.name, type: typeText(item) });
    }
    const omitted = exports.size - items.length;
    return { name, items, ...(omitted > 0 ? { omitted } : {}) };
  });
}

function typeText({ sort, type }: Extern): string {
  return sort === "type" ? `type ${witText(type)}` : witText(type);
}

/** The imports of a core module, by the module that they are of. */
export function describeCoreImports(module: CoreModule): ExternDescription[] {
  const from = new Map<string, ExternDescription[]>();
  for (const item of module.imports) {
    const items = from.get(item.module) ?? [];
    from.set(item.module, items);
    items.push({ name: item.name, type: coreTypeText(module, item) });
  }
  return Array.from(from, ([name, items]) => ({ name, items }));
}

/** The exports of a core module. */
export function describeCoreExports(module: CoreModule): ExternDescription[] {
  return module.exports.map((item) => ({ name: item.name, type: coreTypeText(module, item) }));
}
