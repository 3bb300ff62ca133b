import { decode, head, isId, isList, type List, type Node, readNodes } from "./s-expression.js";
import { unfoldTry } from "./unfold-try.js";

/** A module in a script, as text for the assembler or as bytes. */
export interface ModuleSource {
  readonly id?: string;
  readonly source: string | Uint8Array;
  /** the text is part of the test: what the assembler makes of it is not ours to check */
  readonly quoted: boolean;
}

export interface Action {
  readonly kind: "invoke" | "get";
  readonly module?: string;
  readonly name: string;
  readonly args: readonly List[];
}

/** https://github.com/WebAssembly/spec/tree/main/interpreter#scripts */
export type Command =
  | { readonly kind: "module" | "definition"; readonly module: ModuleSource }
  | { readonly kind: "instance"; readonly id?: string; readonly definition?: string }
  | { readonly kind: "register"; readonly as: string; readonly id?: string }
  | { readonly kind: "action"; readonly action: Action }
  | { readonly kind: "assert_return"; readonly action: Action; readonly results: readonly List[] }
  | { readonly kind: "assert_trap" | "assert_exhaustion" | "assert_exception"; readonly action: Action }
  | { readonly kind: "assert_trap_module" | "assert_unlinkable"; readonly module: ModuleSource }
  | { readonly kind: "assert_invalid" | "assert_malformed"; readonly module: ModuleSource };

export function readScript(text: string): Command[] {
  const nodes = readNodes(text);
  // A file may be one module without its parentheses.
  const isBare = nodes.length > 0 && !COMMANDS.has(head(nodes[0] as List));
  if (isBare) return [{ kind: "module", module: { source: `(module ${text})`, quoted: false } }];
  return nodes.map((node) => readCommand(node, text));
}

const COMMANDS = new Set([
  "module",
  "register",
  "invoke",
  "get",
  "assert_return",
  "assert_trap",
  "assert_exhaustion",
  "assert_exception",
  "assert_unlinkable",
  "assert_invalid",
  "assert_malformed",
]);

function readCommand(node: List, text: string): Command {
  const kind = head(node);
  const [, first, ...rest] = node.items;
  switch (kind) {
    case "module":
      return readModuleCommand(node, text);
    case "register": {
      const [id] = rest;
      return { kind, as: decode(first), ...(isId(id) ? { id: id.text } : {}) };
    }
    case "invoke":
    case "get":
      return { kind: "action", action: readAction(node) };
    case "assert_return":
      return { kind, action: readAction(list(first)), results: rest.filter(isList) };
    case "assert_trap":
      if (head(list(first)) === "module") {
        return { kind: "assert_trap_module", module: readModule(list(first), text) };
      }
      return { kind, action: readAction(list(first)) };
    case "assert_exhaustion":
    case "assert_exception":
      return { kind, action: readAction(list(first)) };
    case "assert_unlinkable":
    case "assert_invalid":
    case "assert_malformed":
      return { kind, module: readModule(list(first), text) };
    default:
      throw new SyntaxError(`unknown command ${kind}`);
  }
}

function list(node: Node | undefined): List {
  if (!isList(node)) throw new SyntaxError("expected a list");
  return node;
}

function readModuleCommand(node: List, text: string): Command {
  const [, keyword, first, second] = node.items;
  if (keyword?.kind === "atom" && keyword.text === "instance") {
    return {
      kind: "instance",
      ...(isId(first) ? { id: first.text } : {}),
      ...(isId(second) ? { definition: second.text } : {}),
    };
  }
  if (keyword?.kind === "atom" && keyword.text === "definition") {
    const without = { ...node, items: node.items.filter((item) => item !== keyword) };
    const module = readModule(without, text);
    const source =
      typeof module.source === "string" ? module.source.replace(/definition/, "") : module.source;
    return { kind: "definition", module: { ...module, source } };
  }
  return { kind: "module", module: readModule(node, text) };
}

function readModule(node: List, text: string): ModuleSource {
  const [, first, second] = node.items;
  const id = isId(first) ? { id: first.text } : {};
  const form = isId(first) ? second : first;
  const word = form?.kind === "atom" ? form.text : undefined;
  if (word !== "binary" && word !== "quote") {
    return { ...id, source: unfoldTry(text.slice(node.start, node.end)), quoted: false };
  }
  const strings = node.items.flatMap((item) => (item.kind === "string" ? [item.bytes] : []));
  const bytes = Uint8Array.from(strings.flatMap((part) => [...part]));
  if (word === "binary") return { ...id, source: bytes, quoted: false };
  return { ...id, source: `(module ${new TextDecoder().decode(bytes)})`, quoted: true };
}

function readAction(node: List): Action {
  const kind = head(node);
  if (kind !== "invoke" && kind !== "get") throw new SyntaxError(`unknown action ${kind}`);
  const [, first, second] = node.items;
  return {
    kind,
    ...(isId(first) ? { module: first.text } : {}),
    name: decode(isId(first) ? second : first),
    args: node.items.filter(isList),
  };
}
