import { head, isList, type List, readNodes } from "./s-expression.js";

/**
 * Rewrites the folded legacy `(try (do ...) (catch ...))` of a module to `try ... catch ... end`, which is
 * the only spelling that the assembler knows.
 */
export function unfoldTry(text: string): string {
  if (!/\(try\s/.test(text)) return text;
  const characters = text.split("");
  for (const node of readNodes(text)) unfold(node, characters);
  return characters.join("");
}

function unfold(node: List, characters: string[]): void {
  const children = node.items.filter(isList);
  for (const child of children) unfold(child, characters);
  if (head(node) !== "try") return;
  const isDelegating = children.some((child) => head(child) === "delegate");
  characters[node.start] = " ";
  characters[node.end - 1] = isDelegating ? " " : " end ";
  for (const child of children) {
    const word = head(child);
    if (!["do", "catch", "catch_all", "delegate"].includes(word)) continue;
    characters[child.start] = " ";
    characters[child.end - 1] = " ";
    if (word === "do") characters.fill(" ", child.start, child.start + "(do".length);
  }
}
