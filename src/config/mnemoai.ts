import { MNEMOAI_EVENTS } from "../dialects/mnemoai.js";
import type { Hook } from "../hooks/hook.js";
import { withLimits } from "../hooks/limits.js";
import { globMatcher, type Matcher } from "../hooks/matcher.js";
import type { FileContext } from "./file-context.js";
import { readJson } from "./json-tree.js";
import { checkKeys, unknown } from "./keys.js";
import { readLimits } from "./limit-keys.js";
import { readMatcher } from "./matcher-key.js";
import { readMnemoaiHook } from "./mnemoai-hook.js";
import type { Report } from "./problem.js";
import { allOf, describe, type Entry, isNull, type MapNode, type TreeNode } from "./tree.js";

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
  const limits = withLimits(file.limits, readLimits(top.entries.get("limits"), report));
  const events = declaredEvents(top, report);
  if (events === undefined) return undefined;
  const hooks: Hook[] = [];
  for (const { id, event, node } of events.flatMap((entry) => groupsOf(entry, report))) {
    hooks.push(...(await readGroup(node, event, id, { ...file, limits })));
  }
  return { hooks };
}

/** The events by name, with all their entries: of a name that stands twice, neither may take a guard away. */
function declaredEvents(top: MapNode, report: Report): Entry[][] | undefined {
  const wrapped = allOf(top.entries.get("hooks"));
  const maps: MapNode[] = [];
  for (const { value } of wrapped) {
    if (value.kind === "map") maps.push(value);
    else {
      const message = `"hooks" takes an object and not ${describe(value)}: write events such as PreToolUse`;
      report("bad-type", value.at, message);
    }
  }
  if (wrapped.length > 0) checkBesideHooks(top, report);
  else maps.push({ ...top, entries: new Map([...top.entries].filter(([key]) => key !== "limits")) });
  if (maps.length === 0) return undefined;
  const byName = new Map<string, Entry[]>();
  for (const entry of maps.flatMap(({ entries }) => [...entries.values()].flatMap(allOf))) {
    const entries = byName.get(entry.key);
    if (entries === undefined) byName.set(entry.key, [entry]);
    else entries.push(entry);
  }
  return [...byName.values()];
}

function checkBesideHooks(top: MapNode, report: Report): void {
  for (const { key, keyAt } of top.entries.values()) {
    if (key === "hooks" || key === "limits") continue;
    const message = EVENTS.has(key)
      ? `${key} stands beside "hooks": move it into that object`
      : unknown("key", key, ["hooks", "limits"]);
    report("unknown-key", keyAt, message);
  }
}

interface Group {
  id: string;
  event: EventMeaning;
  node: TreeNode;
}

/** The groups of all entries of one event, counted through. */
function groupsOf(entries: Entry[], report: Report): Group[] {
  const groups: Group[] = [];
  for (const { key, keyAt, value } of entries) {
    const event = EVENTS.get(key);
    if (event === undefined) {
      report("unknown-event", keyAt, unknown("event", key, EVENT_NAMES));
    } else if (value.kind !== "list") {
      const message = `"${key}" takes a list and not ${describe(value)}: write [{"matcher": ..., "hooks": [...]}]`;
      report("bad-type", value.at, message);
    } else {
      for (const node of value.items) groups.push({ id: `${key}[${groups.length}]`, event, node });
    }
  }
  return groups;
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
  const matcherEntry = node.entries.get("matcher");
  const matcher = matcherOf(matcherEntry, report);
  const isReadable = file.problems.count === before;
  checkKeys(node, GROUP_KEYS, report);
  const messages = file.problems.messagesSince(before);
  // Without a sound matcher, nobody knows which calls the hooks are for. An unknown key may be a mistyped one.
  const isForKnownCalls = isReadable && (matcherEntry !== undefined || messages.length === 0);
  const lists = allOf(node.entries.get("hooks"));
  if (lists.length === 0) report("no-runner", node.at, 'the entry has no list of hooks: add "hooks": [...]');
  const items = lists.flatMap(({ value }) => {
    if (value.kind === "list") return value.items;
    report("bad-type", value.at, `the entry has ${describe(value)} for its hooks: add "hooks": [...]`);
    return [];
  });
  const hooks: Hook[] = [];
  for (const [index, item] of items.entries()) {
    const place = { id: `${id}.hooks[${index}]`, ...event, matcher };
    const hook = await readMnemoaiHook(item, place, file, messages);
    if (isForKnownCalls && hook !== undefined) hooks.push(hook);
  }
  return hooks;
}

/** A glob; none, or an empty one, is `*`, as the agent has it. */
function matcherOf(entry: Entry | undefined, report: Report): Matcher {
  if (entry === undefined || isNull(entry.value)) return globMatcher("*");
  return readMatcher(entry, (source) => globMatcher(source || "*"), report);
}
