/** A node of a script: an atom, a string, or a list; `start` and `end` are offsets in the text. */
export interface Atom {
  readonly kind: "atom";
  readonly text: string;
}
export interface Text {
  readonly kind: "string";
  readonly bytes: Uint8Array;
}
export interface List {
  readonly kind: "list";
  readonly items: readonly Node[];
  readonly start: number;
  readonly end: number;
}
export type Node = Atom | Text | List;

const ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, '"': 34, "'": 39, "\\": 92 };
const TOKEN = /;;[^\n]*|\(;|[()]|"(?:[^"\\]|\\[\s\S])*"|[^\s()";]+|\s+|;/y;

/** Reads all top-level lists of a `.wast` text; annotations are left out. */
export function readNodes(text: string): List[] {
  const top: Node[] = [];
  const open: { items: Node[]; start: number }[] = [];
  let items = top;
  let position = 0;
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) throw new SyntaxError(`no token at ${position}`);
    const start = position;
    position += token.length;
    if (token === "(;") {
      position = afterBlockComment(text, start);
    } else if (token === "(") {
      open.push({ items, start });
      items = [];
    } else if (token === ")") {
      const outer = open.pop();
      if (!outer) throw new SyntaxError(`stray ) at ${start}`);
      const list: List = { kind: "list", items, start: outer.start, end: position };
      items = outer.items;
      if (!head(list).startsWith("@")) items.push(list);
    } else if (token.startsWith('"')) {
      items.push({ kind: "string", bytes: bytesOf(token.slice(1, -1)) });
    } else if (!token.startsWith(";") && token.trim() !== "") {
      items.push({ kind: "atom", text: token });
    }
  }
  if (open.length > 0) throw new SyntaxError("a list is not closed");
  return top.filter((node) => node.kind === "list");
}

function afterBlockComment(text: string, start: number): number {
  const marks = /\(;|;\)/g;
  marks.lastIndex = start;
  for (let depth = 0; ; ) {
    const mark = marks.exec(text);
    if (!mark) throw new SyntaxError(`a comment is not closed at ${start}`);
    depth += mark[0] === "(;" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
}

function bytesOf(raw: string): Uint8Array {
  const encoder = new TextEncoder();
  const parts = raw.match(/\\u\{[^}]*\}|\\[0-9a-fA-F]{2}|\\[\s\S]|[^\\]+/g) ?? [];
  const bytes: number[] = [];
  for (const part of parts) {
    if (!part.startsWith("\\")) {
      for (const byte of encoder.encode(part)) bytes.push(byte);
    } else if (part.startsWith("\\u")) {
      bytes.push(...encoder.encode(String.fromCodePoint(Number.parseInt(part.slice(3), 16))));
    } else {
      bytes.push(part.length === 3 ? Number.parseInt(part.slice(1), 16) : (ESCAPES[part.charAt(1)] ?? 0));
    }
  }
  return Uint8Array.from(bytes);
}

/** The first atom of a list. */
export function head(list: List): string {
  const first = list.items[0];
  return first?.kind === "atom" ? first.text : "";
}

export function decode(node: Node | undefined): string {
  if (node?.kind !== "string") throw new SyntaxError("expected a string");
  return new TextDecoder().decode(node.bytes);
}

export function isId(node: Node | undefined): node is Atom {
  return node?.kind === "atom" && node.text.startsWith("$");
}

export function isList(node: Node | undefined): node is List {
  return node?.kind === "list";
}
