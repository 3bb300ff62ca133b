import type { CallNode } from "../../sandbox/profile/call-tree.js";
import { nameOf } from "./by-function.js";

/**
 * A profile in the format of speedscope: one sample for each way of calls, weighted by the fuel.
 * https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
 */
export function speedscope(name: string, root: CallNode, functions: readonly string[]): object {
  const samples: number[][] = [];
  const weights: number[] = [];
  const frames: { name: string }[] = [];
  const frameOf = new Map<number, number>();
  const visit = (node: CallNode, callers: readonly number[]) => {
    const known = frameOf.get(node.function);
    const frame = known ?? frames.push({ name: nameOf(node.function, functions) }) - 1;
    frameOf.set(node.function, frame);
    const stack = [...callers, frame];
    if (node.selfFuel > 0) {
      samples.push(stack);
      weights.push(node.selfFuel);
    }
    for (const child of node.children) visit(child, stack);
  };
  visit(root, []);
  const endValue = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    $schema: "https://www.speedscope.app/file-format-schema.json",
    exporter: "wasmhook",
    name,
    activeProfileIndex: 0,
    shared: { frames },
    profiles: [{ type: "sampled", name, unit: "none", startValue: 0, endValue, samples, weights }],
  };
}
