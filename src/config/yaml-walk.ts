import { type Alias, type Document, isAlias, isCollection, isNode, isPair, type Node } from "yaml";

/** All nodes of a document as they are written: a node before what it holds. Does not follow aliases. */
export function* nodesInOrder(document: Document): Generator<Node> {
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const next = open.pop();
    if (isPair(next)) open.push(next.value, next.key);
    if (!isNode(next)) continue;
    yield next;
    if (!isCollection(next)) continue;
    for (let i = next.items.length - 1; i >= 0; i--) open.push(next.items[i]);
  }
}

/** The node that each alias stands for: the last one before it with that anchor. */
export function aliasTargets(document: Document): Map<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  for (const node of nodesInOrder(document)) {
    if (isAlias(node)) {
      const target = anchored.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (node.anchor !== undefined) {
      anchored.set(node.anchor, node);
    }
  }
  return targets;
}
