import { isToolMoment, MOMENTS, type Moment } from "../hooks/event.js";
import type { DeclaredKind, Hook } from "../hooks/hook.js";
import { withLimits } from "../hooks/limits.js";
import { anyTool, type Matcher, regexMatcher } from "../hooks/matcher.js";
import type { FileContext } from "./file-context.js";
import { readMay, readOnError } from "./hook-keys.js";
import { checkKeys, unknown } from "./keys.js";
import { readLimits, readQuantity } from "./limit-keys.js";
import { readMatcher } from "./matcher-key.js";
import { fixOfMistyped } from "./mistyped-key.js";
import { expandConfigDir } from "./module-path.js";
import type { Report } from "./problem.js";
import { parseTimeout } from "./quantities.js";
import { readRunner } from "./runner-keys.js";
import { describe, type Entry, isNull, type MapNode, quote, type TreeNode } from "./tree.js";
import { readYaml } from "./yaml-tree.js";

/** All other top-level keys of an agent's file are the agent's own. */
const TOP_KEYS = ["hooks", "limits", "displayHooks"];
const HOOK_KEYS = ["matcher", "command", "wasm", "onError", "timeout", "config", "limits", "may", "sha256"];

/** Reads an agent's YAML file. `undefined` with any problem in it: half a set of guards guards nothing. */
export async function readMm(
  text: string,
  file: FileContext,
): Promise<{ hooks: Hook[]; displayHooks?: boolean } | undefined> {
  const report = file.problems.reporter();
  const top = readYaml(
    text,
    (key) => TOP_KEYS.includes(key) || fixOfMistyped(key, TOP_KEYS) !== undefined,
    report,
  );
  for (const { key, keyAt } of top.values()) {
    const fix = fixOfMistyped(key, TOP_KEYS);
    if (fix !== undefined) report("unknown-key", keyAt, `the key ${quote(key)} has no effect here: ${fix}`);
  }
  const displayHooks = readFlag(top.get("displayHooks"), report);
  const context: FileContext = {
    ...file,
    limits: withLimits(file.limits, readLimits(top.get("limits"), report)),
    expandPath: (path) => expandConfigDir(path, file.directory),
  };
  const hooks: Hook[] = [];
  for (const { moment, index, node } of declaredHooks(top.get("hooks"), report)) {
    const hook = await readHook(node, moment, `${moment}[${index}]`, context);
    if (hook !== undefined) hooks.push(hook);
  }
  if (file.problems.count > 0) return undefined;
  return { hooks, ...(displayHooks === undefined ? {} : { displayHooks }) };
}

function readFlag(entry: Entry | undefined, report: Report): boolean | undefined {
  if (entry === undefined) return undefined;
  const { key, value } = entry;
  if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
  report("bad-type", value.at, `"${key}" takes true or false and not ${describe(value)}: write one of them`);
  return undefined;
}

interface Declared {
  moment: Moment;
  index: number;
  node: TreeNode;
}

/** The hooks of all events in the order of the file. A key with nothing behind it declares none. */
function declaredHooks(entry: Entry | undefined, report: Report): Declared[] {
  if (entry === undefined || isNull(entry.value)) return [];
  const events = entry.value;
  if (events.kind !== "map") {
    report(
      "bad-type",
      events.at,
      `"hooks" takes a map and not ${describe(events)}: write events such as preToolCall`,
    );
    return [];
  }
  return [...events.entries.values()].flatMap(({ key, keyAt, value }) => {
    const moment = MOMENTS.find((name) => name === key);
    if (moment === undefined) report("unknown-event", keyAt, unknown("event", key, MOMENTS));
    if (isNull(value)) return [];
    if (value.kind !== "list") {
      report(
        "bad-type",
        value.at,
        `"${key}" takes a list and not ${describe(value)}: start each hook with "- "`,
      );
      return [];
    }
    return moment === undefined ? [] : value.items.map((node, index) => ({ moment, index, node }));
  });
}

async function readHook(
  node: TreeNode,
  moment: Moment,
  id: string,
  context: FileContext,
): Promise<Hook | undefined> {
  const report = context.problems.reporter(id);
  if (node.kind !== "map") {
    report("bad-type", node.at, `a hook is a map and not ${describe(node)}: write keys such as command: ...`);
    return undefined;
  }
  checkKeys(node, HOOK_KEYS, report);
  const matcher = matcherOf(node.entries.get("matcher"), moment, report);
  const onError = readOnError(node, report);
  const may = readMay(node, report);
  const timeoutMs = readQuantity(node.entries.get("timeout"), parseTimeout, report);
  const runner = await readRunner(node, runnerKind(node, report), timeoutMs, context, report);
  return runner && { id, moment, matcher, runner, onError, may };
}

function matcherOf(entry: Entry | undefined, moment: Moment, report: Report): Matcher {
  if (entry === undefined) return anyTool();
  if (!isToolMoment(moment)) {
    report(
      "matcher-not-allowed",
      entry.keyAt,
      `"matcher" is for tool calls, and ${moment} is none: remove it`,
    );
    return anyTool();
  }
  return readMatcher(entry, regexMatcher, report);
}

function runnerKind(hook: MapNode, report: Report): DeclaredKind {
  const command = hook.entries.get("command");
  const wasm = hook.entries.get("wasm");
  if (command === undefined && wasm === undefined) {
    report("no-runner", hook.at, 'the hook has nothing to run: add "command" or "wasm"');
  }
  if (command !== undefined && wasm !== undefined) {
    report("two-runners", wasm.keyAt, 'the hook has both "command" and "wasm": keep one');
  }
  // With none, keys of either kind are checked and none is called out of place.
  return command !== undefined && wasm === undefined ? "command" : "wasm";
}
