import type { Cursor } from "./component-cursor.js";
import type { Sort } from "./component-scope.js";
import { featureRefused, malformed } from "./refusal.js";

type CoreExportSort = "core func" | "core table" | "core memory" | "core global" | "core tag";
const CORE_EXPORT_SORTS = new Set<Sort>([
  "core func",
  "core table",
  "core memory",
  "core global",
  "core tag",
]);
const OF_OUTER_COMPONENT = new Set<Sort>(["core type", "core module", "type", "component"]);
const OF_OUTER_TYPE = new Set<Sort>(["core type", "type"]);

function isCoreExportSort(sort: Sort): sort is CoreExportSort {
  return CORE_EXPORT_SORTS.has(sort);
}

/** Reads one alias into the scope: to an instance's export, a core instance's export, or an outer scope's item. */
export function readAlias(cursor: Cursor): void {
  const { reader, scope } = cursor;
  const start = reader.position;
  const sort = cursor.sort();
  const target = cursor.choice("a target of an alias", { 0: "export", 1: "core export", 2: "outer" });
  if (target === "export") {
    aliasExport(cursor, sort, start);
  } else if (target === "core export") {
    if (!isCoreExportSort(sort)) throw malformed(start, `a core instance exports no ${sort}`);
    const instance = cursor.index("core instance");
    scope.define({ kind: "alias core export", offset: start, sort, instance, name: cursor.name() });
    scope.add(sort, undefined);
  } else {
    const sorts = scope.kind === "type" ? OF_OUTER_TYPE : OF_OUTER_COMPONENT;
    if (!sorts.has(sort)) throw malformed(start, `an outer ${sort} cannot be aliased here`);
    const offset = reader.position;
    const count = reader.u32();
    const index = reader.u32();
    scope.add(sort, scope.outer(count, offset).get(sort, index, offset));
    scope.define({ kind: "alias outer", offset: start, sort, count, index });
  }
}

function aliasExport(cursor: Cursor, sort: Sort, start: number): void {
  if (sort === "core module") throw featureRefused(start, "core modules as imports or exports");
  const { position } = cursor.reader;
  const instance = cursor.index("instance");
  const name = cursor.name();
  const found = cursor.scope.get("instance", instance, position).exports.get(name);
  if (found?.sort !== sort) throw malformed(start, `the instance exports no ${sort} of that name`);
  cursor.scope.addExtern(found);
  cursor.scope.define({ kind: "alias export", offset: start, sort, instance, name });
}
