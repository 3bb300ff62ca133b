import { MNEMOAI_EVENTS } from "../dialects/mnemoai.js";
import type { Hook } from "../hooks/hook.js";
import { globMatcher, type Matcher } from "../hooks/matcher.js";
import type { FileContext } from "./file-context.js";
import { readJson } from "./json-tree.js";
import { checkKeys, unknown } from "./keys.js";
import { readLimits } from "./limit-keys.js";
import { readMatcher } from "./matcher-key.js";
import { readMnemoaiHook } from "./mnemoai-hook.js";
import type { Report } from "./problem.js";
import { describe, type Entry, isNull, type MapNode, type TreeNode } from "./tree.js";

type EventMeaning = Pick<Hook, "moment" | "when">;

const EVENTS = new Map<string, EventMeaning>(Object.entries(MNEMOAI_EVENTS));
const EVENT_NAMES = [...EVENTS.keys()];
const GROUP_KEYS = ["matcher", "hooks"];

/**
 * Reads a `hooks.json`, with the events under `hooks` or at the top; `limits` may stand beside either.
 * What is malformed is a problem and left out, and costs nothing else. `undefined` where the file as a whole is no such file.
 */
export async function readMnemoai(text: string, file: FileContext): Promise<{ hooks: Hook[] } | undefined> {
  const report = file.problems.reporter();
  const top = readJson(text, report, (key) => key.startsWith("//"));
  if (top === undefined) return undefined;
  if (top.kind !== "map") {
    report("bad-type", top.at, `the file holds ${describe(top)} and not an object: write {"hooks": {...}}`);
    return undefined;
  }
  const limits = { ...file.limits, ...readLimits(top.entries.get("limits"), report) };
  const hooks: Hook[] = [];
  const events = declaredEvents(top, report);
  if (events === undefined) return undefined;
  for (const event of events) {
    hooks.push(...(await readEvent(event, { ...file, limits }, report)));
  }
  return { hooks };
}

function declaredEvents(top: MapNode, report: Report): Entry[] | undefined {
  const wrapped = top.entries.get("hooks");
  if (wrapped === undefined) return [...top.entries.values()].filter(({ key }) => key !== "limits");
  for (const { key, keyAt } of top.entries.values()) {
    if (key === "hooks" || key === "limits") continue;
    const message = EVENTS.has(key)
      ? `${key} stands beside "hooks": move it into that object`
      : unknown("key", key, ["hooks", "limits"]);
    report("unknown-key", keyAt, message);
  }
  const { value } = wrapped;
  if (value.kind === "map") return [...value.entries.values()];
  report(
    "bad-type",
    value.at,
    `"hooks" takes an object and not ${describe(value)}: write events such as PreToolUse`,
  );
  return undefined;
}

async function readEvent({ key, keyAt, value }: Entry, file: FileContext, report: Report): Promise<Hook[]> {
  const event = EVENTS.get(key);
  if (event === undefined) {
    report("unknown-event", keyAt, unknown("event", key, EVENT_NAMES));
    return [];
  }
  if (value.kind !== "list") {
    report(
      "bad-type",
      value.at,
      `"${key}" takes a list and not ${describe(value)}: write [{"matcher": ..., "hooks": [...]}]`,
    );
    return [];
  }
  const hooks: Hook[] = [];
  for (const [index, group] of value.items.entries()) {
    hooks.push(...(await readGroup(group, event, `${key}[${index}]`, file)));
  }
  return hooks;
}

async function readGroup(
  node: TreeNode,
  event: EventMeaning,
  id: string,
  file: FileContext,
): Promise<Hook[]> {
  const report = file.problems.reporter(id);
  if (node.kind !== "map") {
    report(
      "bad-type",
      node.at,
      `an entry is an object and not ${describe(node)}: write {"matcher": ..., "hooks": [...]}`,
    );
    return [];
  }
  const before = file.problems.count;
  checkKeys(node, GROUP_KEYS, report);
  const matcher = matcherOf(node.entries.get("matcher"), report);
  const list = node.entries.get("hooks")?.value;
  if (list?.kind !== "list") {
    const found = list === undefined ? "has no list of hooks" : `has ${describe(list)} for its hooks`;
    report(
      list === undefined ? "no-runner" : "bad-type",
      (list ?? node).at,
      `the entry ${found}: add "hooks": [...]`,
    );
    return [];
  }
  // Without a sound matcher, nobody knows which calls the hooks are for.
  const sound = file.problems.count === before;
  const hooks: Hook[] = [];
  for (const [index, item] of list.items.entries()) {
    const hook = await readMnemoaiHook(item, { id: `${id}.hooks[${index}]`, ...event, matcher }, file);
    if (sound && hook !== undefined) hooks.push(hook);
  }
  return hooks;
}

/** A glob; none, or an empty one, is `*`, as the agent has it. */
function matcherOf(entry: Entry | undefined, report: Report): Matcher {
  if (entry === undefined || isNull(entry.value)) return globMatcher("*");
  return readMatcher(entry, (source) => globMatcher(source || "*"), report);
}
