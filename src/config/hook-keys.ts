import type { OnError } from "../hooks/hook.js";
import { ALL_GRANTS, GRANTS, type Grant } from "../hooks/may.js";
import { wordOf } from "./keys.js";
import type { Report } from "./problem.js";
import { describe, type MapNode } from "./tree.js";

const ON_ERROR: readonly OnError[] = ["fail", "warn", "ignore"];

/** `onError`, by default `warn`. */
export function readOnError(hook: MapNode, report: Report): OnError {
  const entry = hook.entries.get("onError");
  return (entry && wordOf(entry, ON_ERROR, report)) ?? "warn";
}

/** `may`, a list of grants; all of them where there is none. */
export function readMay(hook: MapNode, report: Report): ReadonlySet<Grant> {
  const entry = hook.entries.get("may");
  if (entry === undefined) return ALL_GRANTS;
  const list = entry.value;
  if (list.kind !== "list") {
    report(
      "bad-type",
      list.at,
      `"may" takes a list and not ${describe(list)}: write one such as [deny, context]`,
    );
    return new Set();
  }
  const grants = list.items.map((value) => wordOf({ ...entry, value }, GRANTS, report));
  return new Set(grants.filter((grant) => grant !== undefined));
}
