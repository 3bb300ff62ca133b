import { type CallNode, HOST_FUNCTION } from "../../sandbox/profile/call-tree.js";

export interface FunctionFuel {
  readonly name: string;
  /** Of its own instructions, and of what the host did for it. */
  selfFuel: number;
  /** With all that it called; a call within a call of itself counts once. */
  totalFuel: number;
  calls: number;
}

/** What each function used, most of its own first; the host's part in it is what comes before and after the guest. */
export function byFunction(root: CallNode, functions: readonly string[]): FunctionFuel[] {
  const found = new Map<number, FunctionFuel>();
  const active = new Set<number>();
  const visit = (node: CallNode): number => {
    const { function: index, calls, selfFuel, children } = node;
    const row = found.get(index) ?? { name: nameOf(index, functions), selfFuel: 0, totalFuel: 0, calls: 0 };
    found.set(index, row);
    const isOutermost = !active.has(index);
    active.add(index);
    const total = children.reduce((sum, child) => sum + visit(child), selfFuel);
    if (isOutermost) {
      active.delete(index);
      row.totalFuel += total;
    }
    row.selfFuel += selfFuel;
    row.calls += calls;
    return total;
  };
  visit(root);
  return [...found.values()].sort((a, b) => b.selfFuel - a.selfFuel || b.totalFuel - a.totalFuel);
}

export function nameOf(index: number, functions: readonly string[]): string {
  return index === HOST_FUNCTION ? "(host)" : (functions[index] ?? `function ${index}`);
}
