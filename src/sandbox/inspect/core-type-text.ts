import type { CoreModule, ExternKind } from "../binary/core-module.js";
import { type FunctionType, type Limits, type ValueType, ValueTypes } from "../binary/core-types.js";

const MOST_TYPES = 16;
const TYPE_NAMES = new Map<ValueType, string>(Object.entries(ValueTypes).map(([name, type]) => [type, name]));

/** The type of a core module's import or export, such as `func(i32, i32) -> i32` or `memory 2..16 pages`. */
export function coreTypeText(
  module: CoreModule,
  { kind, index }: { kind: ExternKind; index: number },
): string {
  switch (kind) {
    case "func":
      return functionText("func", module.types[module.functions[index] ?? -1]);
    case "tag":
      return functionText("tag", module.types[module.tags[index] ?? -1]);
    case "table": {
      const table = module.tables[index];
      return table === undefined ? kind : `table of ${limitsText(table)} ${TYPE_NAMES.get(table.element)}`;
    }
    case "memory": {
      const memory = module.memories[index];
      return memory === undefined ? kind : `memory of ${limitsText(memory)} pages`;
    }
    case "global": {
      const global = module.globals[index];
      if (global === undefined) return kind;
      return `${global.mutable ? "mutable global" : "global"} ${TYPE_NAMES.get(global.type)}`;
    }
  }
}

/** Such as `func(i32, i32) -> i32`. */
export function functionText(kind: "func" | "tag", type: FunctionType | undefined): string {
  if (type === undefined) return kind;
  const results = type.results.length === 1 ? listed(type.results) : `(${listed(type.results)})`;
  return `${kind}(${listed(type.params)})${type.results.length === 0 ? "" : ` -> ${results}`}`;
}

function listed(types: readonly ValueType[]): string {
  const names = types.slice(0, MOST_TYPES).map((type) => TYPE_NAMES.get(type));
  return [...names, ...(types.length > MOST_TYPES ? ["…"] : [])].join(", ");
}

function limitsText({ min, max }: Limits): string {
  return max === undefined ? `${min} or more` : `${min} to ${max}`;
}
