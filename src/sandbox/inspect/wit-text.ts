import type { Case, ComponentTypeDef, Field } from "../binary/component-types.js";
import { shownName } from "./escaped.js";

const MAX_DEPTH = 4;
const MAX_PARTS = 8;
const MAX_LENGTH = 240;
/** Of a type with all that is in it: more would be cut anyway, and a shared type would take long to write out. */
const MAX_TYPES = 100;

/**
 * A type as WIT writes it, types that WIT would give a name in place, names safe to show. Cut short where it is
 * long: a few bytes can declare a type that would take all memory to print.
 */
export function witText(type: ComponentTypeDef): string {
  const text = render(type, 0, { left: MAX_TYPES });
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function render(type: ComponentTypeDef | undefined, depth: number, types: { left: number }): string {
  if (type === undefined) return "_";
  if (depth > MAX_DEPTH || types.left-- <= 0) return "…";
  const inner = (part: ComponentTypeDef | undefined) => render(part, depth + 1, types);
  switch (type.kind) {
    case "record":
      return `record { ${list(type.fields, (field) => named(field, inner))} }`;
    case "variant":
      return `variant { ${list(type.cases, (one) => variantCase(one, inner))} }`;
    case "flags":
    case "enum":
      return `${type.kind} { ${list(type.labels, shownName)} }`;
    case "list":
    case "option":
      return `${type.kind}<${inner(type.element)}>`;
    case "tuple":
      return `tuple<${list(type.elements, inner)}>`;
    case "result":
      if (type.error !== undefined) return `result<${inner(type.ok)}, ${inner(type.error)}>`;
      return type.ok === undefined ? "result" : `result<${inner(type.ok)}>`;
    case "func": {
      const params = list(type.params, (param) => named(param, inner));
      return `func(${params})${type.result === undefined ? "" : ` -> ${inner(type.result)}`}`;
    }
    case "own":
      return "a resource";
    case "borrow":
      return "borrow<a resource>";
    case "instance":
      return "interface";
    default:
      return type.kind;
  }
}

function named({ name, type }: Field | Case, inner: (type: ComponentTypeDef | undefined) => string): string {
  return `${shownName(name)}: ${inner(type)}`;
}

function variantCase({ name, type }: Case, inner: (type: ComponentTypeDef | undefined) => string): string {
  return type === undefined ? shownName(name) : `${shownName(name)}(${inner(type)})`;
}

function list<T>(parts: readonly T[], print: (part: T) => string): string {
  const shown = parts.slice(0, MAX_PARTS).map(print);
  if (parts.length > MAX_PARTS) shown.push("…");
  return shown.join(", ");
}
