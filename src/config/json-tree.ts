import { lineIndex, type Position } from "./position.js";
import type { Report } from "./problem.js";
import { type Entry, MAX_TREE_DEPTH, quote, type TreeNode } from "./tree.js";

/**
 * Reads JSON (RFC 8259) with the place of every key and value. A key that comes twice is a problem, and
 * the later one counts, as with `JSON.parse`; it knows the `earlier` one. Keys for which `isComment` holds are left out.
 * @returns undefined, with a problem, where the text is not JSON.
 */
export function readJson(
  text: string,
  report: Report,
  isComment: (key: string) => boolean = () => false,
): TreeNode | undefined {
  const at = lineIndex(text);
  const scanner = new Scanner(text, at, report, isComment);
  try {
    return scanner.document();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    report(error.code, at(error.offset), error.message);
    return undefined;
  }
}

class JsonFault extends Error {
  readonly code: "json-syntax" | "too-deep";
  readonly offset: number;
  constructor(offset: number, message: string, code: "json-syntax" | "too-deep" = "json-syntax") {
    super(message);
    this.offset = offset;
    this.code = code;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Scanner {
  #offset = 0;
  #depth = 0;
  readonly #text: string;
  readonly #at: (offset: number) => Position;
  readonly #report: Report;
  readonly #isComment: (key: string) => boolean;

  constructor(
    text: string,
    at: (offset: number) => Position,
    report: Report,
    isComment: (key: string) => boolean,
  ) {
    this.#text = text;
    this.#at = at;
    this.#report = report;
    this.#isComment = isComment;
  }

  document(): TreeNode {
    const node = this.#value();
    this.#take(SPACE);
    if (this.#offset < this.#text.length) {
      throw this.#fault("there is text after the end of the JSON: remove it");
    }
    return node;
  }

  #value(): TreeNode {
    this.#take(SPACE);
    const start = this.#offset;
    const at = this.#at(start);
    const first = this.#text[start];
    if (first === "{") return { kind: "map", at, entries: this.#entries() };
    if (first === "[") return { kind: "list", at, items: this.#items() };
    if (first === '"') {
      const value = this.#string();
      return { kind: "scalar", at, value, text: value };
    }
    const text = this.#take(WORD) || this.#take(NUMBER);
    if (text === "") throw this.#fault(this.#whyNoValue(first));
    return { kind: "scalar", at, value: JSON.parse(text), text };
  }

  #whyNoValue(first: string | undefined): string {
    if (first === "'") return "JSON has no single quotes: use double ones";
    if (first === "]" || first === "}") return `a value is missing before ${first}: add it`;
    return this.#expected("a value");
  }

  #items(): TreeNode[] {
    const items: TreeNode[] = [];
    this.#members("]", () => items.push(this.#value()));
    return items;
  }

  #entries(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    this.#members("}", () => {
      const keyAt = this.#at(this.#offset);
      if (this.#text[this.#offset] !== '"') throw this.#fault(this.#expected("a key in double quotes"));
      const key = this.#string();
      this.#take(SPACE);
      if (this.#text[this.#offset] !== ":") throw this.#fault(this.#expected(`a ":" after ${quote(key)}`));
      this.#offset++;
      const value = this.#value();
      if (this.#isComment(key)) return;
      const earlier = entries.get(key);
      if (earlier !== undefined) this.#report("duplicate-key", keyAt, duplicateMessage(key, earlier));
      entries.set(key, { key, keyAt, value, ...(earlier === undefined ? {} : { earlier }) });
    });
    return entries;
  }

  /** The members of a list or a map, up to its `end`, with the commas between them. */
  #members(end: "]" | "}", member: () => void): void {
    if (++this.#depth > MAX_TREE_DEPTH) {
      throw new JsonFault(
        this.#offset,
        `this is nested deeper than ${MAX_TREE_DEPTH} levels: flatten it`,
        "too-deep",
      );
    }
    this.#offset++;
    this.#take(SPACE);
    if (this.#text[this.#offset] !== end) {
      for (;;) {
        member();
        this.#take(SPACE);
        if (this.#text[this.#offset] === end) break;
        if (this.#text[this.#offset] !== ",") throw this.#fault(this.#expected(`"," or "${end}"`));
        const comma = this.#offset++;
        this.#take(SPACE);
        if (this.#text[this.#offset] === end) {
          throw new JsonFault(comma, `JSON allows no comma before ${end}: remove it`);
        }
      }
    }
    this.#offset++;
    this.#depth--;
  }

  #string(): string {
    const start = this.#offset++;
    for (;;) {
      const char = this.#text[this.#offset];
      if (char === '"') break;
      if (char === undefined) throw new JsonFault(start, 'this string has no end: close it with "');
      if (char < " ") {
        throw this.#fault(
          "a string holds a line break, tab or control character: write it as \\n, \\t or \\u00XX",
        );
      }
      if (char !== "\\") this.#offset++;
      else if (this.#take(ESCAPE) === "") {
        throw this.#fault('JSON has no such escape: write a backslash as "\\\\"');
      }
    }
    this.#offset++;
    return JSON.parse(this.#text.slice(start, this.#offset));
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    const text = pattern.exec(this.#text)?.[0] ?? "";
    this.#offset += text.length;
    return text;
  }

  #expected(what: string): string {
    const rest = this.#text.slice(this.#offset);
    if (rest === "") return `the JSON ends where ${what} is expected: complete it`;
    if (/^\/[/*]/.test(rest)) return 'JSON has no comments: use a key that starts with "//"';
    return `expected ${what} and not ${quote(/^[\w.+-]+|^./su.exec(rest)?.[0] ?? "")}: correct it`;
  }

  #fault(message: string): JsonFault {
    return new JsonFault(this.#offset, message);
  }
}

function duplicateMessage(key: string, earlier: Entry): string {
  return `the key ${quote(key)} stands already in line ${earlier.keyAt.line}: keep one`;
}
