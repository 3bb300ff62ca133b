import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  Parser,
  type Scalar,
  type YAMLError,
} from "yaml";
import type { Position } from "./position.js";
import type { Report } from "./problem.js";
import { MAX_TREE_DEPTH, quote } from "./tree.js";
import { aliasTargets, nodesInOrder } from "./yaml-walk.js";

const MAX_SYNTAX_PROBLEMS = 20;

/** What to do about the errors of the `yaml` package that its own words leave open. */
const FIXES: Record<string, string> = {
  TAB_AS_INDENT: "indent with spaces",
  BAD_INDENT: "line up what belongs together, and close every bracket",
  BLOCK_AS_IMPLICIT_KEY: 'put a value that holds ": " in quotes, and indent a map under its key',
  MISSING_CHAR: "add what is missing, or line up what belongs together",
  BAD_SCALAR_START: "put the value in quotes",
  BAD_DQ_ESCAPE: "write a backslash as \\\\, or use single quotes",
};

/**
 * Parses one YAML 1.2 document (core schema). Errors of syntax, keys that come twice and aliases without an
 * anchor are problems wherever they are in the file.
 * @returns undefined where the text is not one YAML document.
 */
export function parseYaml(
  text: string,
  at: (offset: number) => Position,
  report: Report,
): Document.Parsed | undefined {
  const tokens = [...new Parser().parse(text)];
  const deep = tokens.map(tooDeep).find((offset) => offset !== undefined);
  if (deep !== undefined) {
    report("too-deep", at(deep), `this is nested deeper than ${MAX_TREE_DEPTH} levels: flatten it`);
    return undefined;
  }
  // Keys are compared below, in linear time; tags of YAML 1.1 mean nothing in YAML 1.2.
  const composer = new Composer({ schema: "core", uniqueKeys: false, resolveKnownTags: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) return undefined;
  if (second !== undefined) {
    report("yaml-syntax", at(second.range[0]), "a second YAML document starts here: keep one in the file");
  }
  reportErrors(document.errors, text, at, report);
  if (document.errors.length > 0 || second !== undefined) return undefined;
  return checkReferences(document, at, report) ? document : undefined;
}

/** The first error of each line: one broken place can draw a crowd of others behind it. */
function reportErrors(
  errors: readonly YAMLError[],
  text: string,
  at: (offset: number) => Position,
  report: Report,
): void {
  const lines = new Set<number>();
  for (const error of errors) {
    const place = at(afterSpaces(text, error.pos[0]));
    if (lines.has(place.line)) continue;
    if (lines.size === MAX_SYNTAX_PROBLEMS) {
      report("yaml-syntax", place, "there are more errors of syntax from here on: correct the first ones");
      return;
    }
    lines.add(place.line);
    const fix = FIXES[error.code] ?? "correct it";
    report("yaml-syntax", place, `this is not valid YAML (${error.message}): ${fix}`);
  }
}

/** Errors of indentation are placed before it; what people look for is behind. */
function afterSpaces(text: string, offset: number): number {
  let next = offset;
  while (text[next] === " ") next++;
  return next;
}

/**
 * Where a token nests too deep, if it does. The composer recurses: on a full stack V8 may abort the whole
 * process, so this must be known before.
 */
function tooDeep(token: CST.Token): number | undefined {
  const open: [token: CST.Token, depth: number][] = [[token, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next;
    if (depth > MAX_TREE_DEPTH + 1) return current.offset;
    if (current.type === "document" && current.value !== undefined) open.push([current.value, depth + 1]);
    if (!("items" in current)) continue;
    for (const item of current.items) {
      if (item.key) open.push([item.key, depth + 1]);
      if (item.value) open.push([item.value, depth + 1]);
    }
  }
  return undefined;
}

/** Whether a key is the merge key of YAML 1.1, which people still use: `<<: *base`. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === "<<" && key.type === "PLAIN";
}

/** The name of a key. Numbers and such are named as they are written, as in JSON made from YAML. */
export function keyName(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

function checkReferences(
  document: Document.Parsed,
  at: (offset: number) => Position,
  report: Report,
): boolean {
  const targets = aliasTargets(document);
  let sound = true;
  for (const node of nodesInOrder(document)) {
    if (isAlias(node) && targets.get(node) === undefined) {
      sound = false;
      reportAlias(node, at, report);
    }
    if (!isMap(node)) continue;
    const lines = new Map<string, number>();
    for (const { key } of node.items) {
      if (!isScalar(key) || isMergeKey(key)) continue;
      const name = keyName(key);
      const place = at(key.range?.[0] ?? 0);
      const line = lines.get(name);
      if (line === undefined) lines.set(name, place.line);
      else report("duplicate-key", place, `the key ${quote(name)} stands already in line ${line}: keep one`);
    }
  }
  return sound;
}

function reportAlias(alias: Alias, at: (offset: number) => Position, report: Report): void {
  const name = quote(`*${alias.source}`);
  report(
    "unknown-alias",
    at(alias.range?.[0] ?? 0),
    `${name} has no anchor before it: write &${alias.source} there`,
  );
}
