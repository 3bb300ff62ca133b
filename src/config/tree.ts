import type { JsonValue } from "../hooks/json.js";
import type { Position } from "./position.js";
import type { Report } from "./problem.js";

/** Values of a config file with their places, whether it was written as YAML or as JSON. */
export type TreeNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: "scalar";
  at: Position;
  value: string | number | boolean | null;
  /** As it is written, without quotes: the exact digits of a number. */
  text: string;
}

export interface ListNode {
  kind: "list";
  at: Position;
  items: TreeNode[];
}

export interface MapNode {
  kind: "map";
  at: Position;
  entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  key: string;
  keyAt: Position;
  value: TreeNode;
  /** The one before it with the same key, in JSON. */
  earlier?: Entry;
}

/** All entries of a map with a key, in the order of the file, where readers must miss none of them. */
export function allOf(entry: Entry | undefined): Entry[] {
  const entries: Entry[] = [];
  for (let next = entry; next !== undefined; next = next.earlier) entries.push(next);
  return entries.reverse();
}

/** Deeper nesting is refused: parsers of YAML recurse, and V8 aborts the process when their stack is full. */
export const MAX_TREE_DEPTH = 128;

/** Whether a value was left out, as after a YAML key with nothing behind it. */
export function isNull(node: TreeNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** What a value is, for messages. */
export function describe(node: TreeNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  if (node.value === null) return "an empty value";
  return typeof node.value === "boolean" ? node.text : `a ${typeof node.value}`;
}

/** A string cut to a length that fits a message, in quotes. */
export function quote(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 77)}...`);
}

/** Half of a surrogate pair, which no UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Says why a text cannot be passed on as it is, if it cannot. */
export function faultOfText(text: string): string | undefined {
  return LONE_SURROGATE.test(text) ? "holds half of a surrogate pair: write the whole character" : undefined;
}

/** A value as JSON. What JSON would not keep exactly is a problem. */
export function toJson(node: TreeNode, report: Report): JsonValue {
  if (node.kind === "list") return node.items.map((item) => toJson(item, report));
  if (node.kind === "map") {
    // fromEntries defines properties, so that "__proto__" is a key like any other.
    return Object.fromEntries(
      [...node.entries.values()].map((entry) => {
        const fault = faultOfText(entry.key);
        if (fault !== undefined) report("bad-value", entry.keyAt, `the key ${fault}`);
        return [entry.key, toJson(entry.value, report)];
      }),
    );
  }
  const fault = faultOfScalar(node);
  if (fault !== undefined) report("bad-value", node.at, fault);
  return node.value;
}

function faultOfScalar({ value, text }: ScalarNode): string | undefined {
  if (typeof value === "string") {
    const fault = faultOfText(value);
    return fault && `the value ${fault}`;
  }
  if (typeof value !== "number") return undefined;
  if (!Number.isFinite(value)) return `${quote(text)} is no JSON number: write a finite number, or quote it`;
  // Floats are expected to round; an integer that silently becomes another one is not.
  if (/^[-+]?\d+$/.test(text) && !Number.isSafeInteger(value)) {
    return `${quote(text)} is too big to be kept exactly: write it in quotes`;
  }
  return undefined;
}
