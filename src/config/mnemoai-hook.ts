import type { DeclaredKind, Hook } from "../hooks/hook.js";
import { brokenSpec } from "./broken-spec.js";
import type { FileContext } from "./file-context.js";
import { readMay, readOnError } from "./hook-keys.js";
import { checkKeys, wordOf } from "./keys.js";
import type { Report } from "./problem.js";
import { readRunner } from "./runner-keys.js";
import { describe, type Entry, isNull, type MapNode, quote, type TreeNode } from "./tree.js";

const TYPES = ["command", "wasm"] as const satisfies readonly DeclaredKind[];
const HOOK_KEYS = ["type", "command", "wasm", "timeout", "onError", "may", "config", "limits", "sha256"];

/** Source: the mnemoai document. */
const MAX_TIMEOUT_SECONDS = 600;

/** What a hook has from where it stands. */
export type Place = Pick<Hook, "id" | "moment" | "when" | "matcher">;

/**
 * Reads one hook of a `hooks.json`. One with a problem, but for a wrong `timeout`, is left out, unless a failure
 * of it is to refuse the call: then it is kept, and fails.
 * @param groupMessages what is wrong with the group that it stands in
 */
export async function readMnemoaiHook(
  node: TreeNode,
  place: Place,
  file: FileContext,
  groupMessages: readonly string[],
): Promise<Hook | undefined> {
  const report = file.problems.reporter(place.id);
  if (node.kind !== "map") {
    report(
      "bad-type",
      node.at,
      `a hook is an object and not ${describe(node)}: write {"type": "command", "command": ...}`,
    );
    return undefined;
  }
  const timeoutMs = readTimeout(node.entries.get("timeout"), report);
  const before = file.problems.count;
  checkKeys(node, HOOK_KEYS, report);
  const kind = readType(node, report);
  const onError = readOnError(node, report);
  const may = readMay(node, report);
  const runner = kind && (await readRunner(node, kind, timeoutMs, file, report));
  const messages = [...groupMessages, ...file.problems.messagesSince(before)];
  if (runner !== undefined && messages.length === 0) return { ...place, runner, onError, may };
  return onError === "fail"
    ? { ...place, runner: brokenSpec(node, place.id, messages), onError, may }
    : undefined;
}

/** `type`, by default `command`, if the key of that name is the one that is there. */
function readType(hook: MapNode, report: Report): DeclaredKind | undefined {
  const entry = hook.entries.get("type");
  const kind = entry === undefined ? "command" : wordOf(entry, TYPES, report, "unknown-type");
  if (kind === undefined) return undefined;
  const other = kind === "command" ? "wasm" : "command";
  const stray = hook.entries.get(other);
  if (!hook.entries.has(kind)) {
    const fix = stray === undefined ? `add "${kind}"` : `set "type" to "${other}"`;
    report("no-runner", hook.at, `a hook of type "${kind}" needs a "${kind}": ${fix}`);
    return undefined;
  }
  if (stray !== undefined) {
    report("two-runners", stray.keyAt, `a hook of type "${kind}" has no "${other}": remove it`);
  }
  return kind;
}

/**
 * Seconds, in (0, 600]. As the agent has it, more counts as 600 and what is no time at all as the default:
 * a guard with a wrong timeout still guards. Only the latter is a problem.
 */
function readTimeout(entry: Entry | undefined, report: Report): number | undefined {
  if (entry === undefined || isNull(entry.value)) return undefined;
  const { value } = entry;
  const isNumber = value.kind === "scalar" && /^-?[0-9]/.test(value.text);
  const seconds = isNumber ? Number(value.text) : Number.NaN;
  if (seconds > 0) return Math.max(1, Math.round(Math.min(seconds, MAX_TIMEOUT_SECONDS) * 1000));
  const found = value.kind === "scalar" ? quote(value.text) : describe(value);
  report(
    "bad-value",
    value.at,
    `"timeout" is ${found}, and the default is used: write seconds above 0, up to ${MAX_TIMEOUT_SECONDS}`,
  );
  return undefined;
}
