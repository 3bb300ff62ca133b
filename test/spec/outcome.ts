import type { Step } from "./prepare.js";
import { matches, show, type Value } from "./values.js";

export type Outcome =
  | { readonly kind: "returned"; readonly values: readonly Value[] }
  | {
      readonly kind: "trap" | "exhaustion" | "exception" | "unlinkable" | "refused";
      readonly message: string;
    }
  /** it cannot be said: the module is not there, or is of a feature that is not accepted */
  | { readonly kind: "skipped" };

/** Whether what happened is what the script says. */
export function holds({ command, results }: Step, outcome: Outcome): boolean {
  switch (command.kind) {
    case "assert_return":
      if (outcome.kind !== "returned" || outcome.values.length !== results.length) return false;
      return results.every((expected, i) => matches(outcome.values[i], expected));
    case "assert_trap":
    case "assert_trap_module":
      return outcome.kind === "trap";
    case "assert_exhaustion":
      return outcome.kind === "exhaustion";
    case "assert_exception":
      return outcome.kind === "exception";
    case "assert_unlinkable":
      return outcome.kind === "unlinkable";
    case "assert_invalid":
    case "assert_malformed":
      return outcome.kind === "refused";
    default:
      return outcome.kind === "returned";
  }
}

/** To compare outcomes by; why a module was refused is worded differently by each that may refuse it. */
export function describeOutcome(outcome: Outcome, step?: Step): string {
  if (outcome.kind === "returned") {
    return `returned ${outcome.values.map((value, i) => show(value, step?.results[i])).join(" ")}`;
  }
  if (outcome.kind === "trap") return `trap ${outcome.message}`;
  return outcome.kind;
}
