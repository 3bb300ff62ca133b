import type { Case, ComponentTypeDef, Field } from "../binary/component-types.js";

/**
 * Whether a type of a component has the shape of an expected one: the same kinds, names and order.
 * The work is bounded by the size of `expected`, however large `actual` would be when written out.
 * Resources are never expected, and so never the same.
 */
export function sameType(
  expected: ComponentTypeDef | undefined,
  actual: ComponentTypeDef | undefined,
): boolean {
  if (expected === undefined || actual === undefined) return expected === actual;
  switch (expected.kind) {
    case "record":
      return actual.kind === "record" && sameParts(expected.fields, actual.fields);
    case "variant":
      return actual.kind === "variant" && sameParts(expected.cases, actual.cases);
    case "flags":
    case "enum":
      return actual.kind === expected.kind && sameLabels(expected.labels, actual.labels);
    case "list":
    case "option":
      return actual.kind === expected.kind && sameType(expected.element, actual.element);
    case "tuple":
      return actual.kind === "tuple" && sameAll(expected.elements, actual.elements);
    case "result":
      return (
        actual.kind === "result" && sameType(expected.ok, actual.ok) && sameType(expected.error, actual.error)
      );
    case "func":
      return (
        actual.kind === "func" &&
        sameParts(expected.params, actual.params) &&
        sameType(expected.result, actual.result)
      );
    case "own":
    case "borrow":
    case "resource":
    case "instance":
    case "component":
      return false;
    default:
      return actual.kind === expected.kind;
  }
}

function sameParts(expected: readonly (Field | Case)[], actual: readonly (Field | Case)[]): boolean {
  return (
    expected.length === actual.length &&
    expected.every(({ name, type }, i) => name === actual[i]?.name && sameType(type, actual[i]?.type))
  );
}

function sameAll(expected: readonly ComponentTypeDef[], actual: readonly ComponentTypeDef[]): boolean {
  return expected.length === actual.length && expected.every((type, i) => sameType(type, actual[i]));
}

function sameLabels(expected: readonly string[], actual: readonly string[]): boolean {
  return expected.length === actual.length && expected.every((label, i) => label === actual[i]);
}
