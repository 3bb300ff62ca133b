import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { lineIndex, type Position } from "./position.js";
import type { Report } from "./problem.js";
import { type Entry, MAX_TREE_DEPTH, quote, type TreeNode } from "./tree.js";
import { isMergeKey, keyName, parseYaml } from "./yaml-syntax.js";
import { aliasTargets } from "./yaml-walk.js";

/** How many values the keys that are read may hold once every alias is replaced by what it stands for. */
const MAX_VALUES = 100_000;

const CORE_TAGS = ["str", "int", "float", "bool", "null", "map", "seq"].map(
  (tag) => `tag:yaml.org,2002:${tag}`,
);

/**
 * Reads some top-level keys of a YAML file, aliases and merge keys resolved, with the place of every key
 * and value. The other keys are the agent's: they need only be valid YAML.
 */
export function readYaml(
  text: string,
  isOurs: (key: string) => boolean,
  report: Report,
): ReadonlyMap<string, Entry> {
  const at = lineIndex(text);
  const document = parseYaml(text, at, report);
  const root = document?.contents;
  if (document === undefined || root === null || root === undefined) return new Map();
  if (!isMap(root)) {
    if (isScalar(root) && root.value === null) return new Map();
    report(
      "bad-type",
      at(root.range[0]),
      "the file is no map of keys and values: write it as the agent's YAML",
    );
    return new Map();
  }
  try {
    return new TreeBuilder(document, at, report).entries(root, 0, isOurs);
  } catch (error) {
    if (!(error instanceof TreeFault)) throw error;
    report(error.code, error.at, error.message);
    return new Map();
  }
}

class TreeFault extends Error {
  readonly code: "too-deep" | "too-many-values";
  readonly at: Position;
  constructor(code: TreeFault["code"], at: Position, message: string) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

class TreeBuilder {
  #values = 0;
  readonly #targets: Map<Alias, Node>;
  readonly #at: (offset: number) => Position;
  readonly #report: Report;

  constructor(document: Document, at: (offset: number) => Position, report: Report) {
    this.#targets = aliasTargets(document);
    this.#at = at;
    this.#report = report;
  }

  /** The entries of a map; its own go before merged ones. */
  entries(map: YAMLMap, depth: number, isWanted?: (key: string) => boolean): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const { key: written, value } of this.#pairs(map, depth)) {
      const key = this.#resolve(written as Node);
      const keyAt = this.#place(written as Node);
      if (!isScalar(key) || key.value === null) {
        if (isWanted === undefined)
          this.#report("bad-type", keyAt, "a key must be a string: write a name, or quote it");
        continue;
      }
      const name = keyName(key);
      if (entries.has(name) || isWanted?.(name) === false) continue;
      entries.set(name, { key: name, keyAt, value: this.#node(value as Node | null, keyAt, depth + 1) });
    }
    return entries;
  }

  #node(written: Node | null, keyAt: Position, depth: number): TreeNode {
    const node = written && this.#resolve(written);
    const place = node ? this.#place(node) : keyAt;
    this.#count(place, depth);
    if (node && node.tag !== undefined && !CORE_TAGS.includes(node.tag)) {
      this.#report("bad-type", place, `the tag ${quote(node.tag)} means nothing here: remove it`);
    }
    if (isMap(node)) return { kind: "map", at: place, entries: this.entries(node, depth) };
    if (isSeq(node)) {
      const items = node.items.map((item) => this.#node(item as Node, place, depth + 1));
      return { kind: "list", at: place, items };
    }
    // A value that was left out has no place of its own worth pointing at.
    if (!isScalar(node) || (node.source === "" && node.value === null)) {
      return { kind: "scalar", at: keyAt, value: null, text: "" };
    }
    const value = node.value as string | number | boolean | null;
    return {
      kind: "scalar",
      at: place,
      value,
      text: typeof value === "string" ? value : (node.source ?? ""),
    };
  }

  /** The pairs of a map, then those that merge keys bring: of two with the same key the first counts. */
  #pairs(map: YAMLMap, depth: number): Pair[] {
    this.#count(this.#place(map), depth, map.items.length);
    const merged = map.items
      .filter(({ key }) => isMergeKey(key))
      .flatMap(({ value }) => this.#mergeSources(value as Node | null))
      .flatMap((source) => this.#pairs(source, depth + 1));
    return [...map.items.filter(({ key }) => !isMergeKey(key)), ...merged];
  }

  #mergeSources(written: Node | null): YAMLMap[] {
    const value = written && this.#resolve(written);
    const sources = isSeq(value) ? value.items.map((item) => this.#resolve(item as Node)) : [value];
    const maps = sources.filter((source) => isMap(source));
    if (maps.length < sources.length) {
      const place = written ? this.#place(written) : undefined;
      this.#report(
        "bad-type",
        place,
        'the merge key "<<" takes a map, an alias of one, or a list of them: correct it',
      );
    }
    return maps;
  }

  /** What a node stands for. An alias is never one of an alias. */
  #resolve(node: Node): Node {
    return isAlias(node) ? (this.#targets.get(node) ?? node) : node;
  }

  #place(node: Node): Position {
    return this.#at(node.range?.[0] ?? 0);
  }

  #count(place: Position, depth: number, values = 1): void {
    if (depth > MAX_TREE_DEPTH) {
      const message = `this is nested deeper than ${MAX_TREE_DEPTH} levels, or holds an alias of itself: flatten it`;
      throw new TreeFault("too-deep", place, message);
    }
    this.#values += values;
    if (this.#values <= MAX_VALUES) return;
    const message = `the aliases make more than ${MAX_VALUES} values of this: write less of them`;
    throw new TreeFault("too-many-values", place, message);
  }
}
