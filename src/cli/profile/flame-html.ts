import type { CallNode } from "../../sandbox/profile/call-tree.js";
import { nameOf } from "./by-function.js";

/** What takes less of the whole is too narrow to be seen. */
const LEAST_SHARE = 0.0005;
const ROW_PX = 20;

/** A flame graph as a page that needs nothing else: callers above, as wide as their fuel. No script is in it. */
export function flameHtml(title: string, root: CallNode, functions: readonly string[]): string {
  const totals = new Map<CallNode, number>();
  const total = (node: CallNode): number => {
    const sum = node.children.reduce((units, child) => units + total(child), node.selfFuel);
    totals.set(node, sum);
    return sum;
  };
  const fuel = Math.max(1, total(root));
  const bars: string[] = [];
  let rows = 0;
  const draw = (node: CallNode, before: number, depth: number) => {
    const own = totals.get(node) ?? 0;
    if (own / fuel < LEAST_SHARE) return;
    rows = Math.max(rows, depth + 1);
    const name = nameOf(node.function, functions);
    const says = `${name}: ${grouped(own)} fuel (${percent(own, fuel)}), ${grouped(node.selfFuel)} itself, ${grouped(node.calls)} calls`;
    const place = `left:${percent(before, fuel)};width:${percent(own, fuel)};top:${depth * ROW_PX}px`;
    bars.push(
      `<div style="${place};background:hsl(${hue(name)} 80% 72%)" title="${html(says)}">${html(name)}</div>`,
    );
    let next = before;
    for (const child of node.children) {
      draw(child, next, depth + 1);
      next += totals.get(child) ?? 0;
    }
  };
  draw(root, 0, 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>
body { font: 12px system-ui, sans-serif; margin: 1em; }
main { position: relative; height: ${rows * ROW_PX}px; }
main div { position: absolute; box-sizing: border-box; height: ${ROW_PX}px; line-height: ${ROW_PX - 2}px; padding: 0 3px;
  border: 1px solid #fff; border-radius: 3px; overflow: hidden; white-space: nowrap; color: #000; }
</style>
<h1>${html(title)}</h1>
<p>Each bar is a function below its caller, as wide as the fuel that it used with all that it called.</p>
<main>
${bars.join("\n")}
</main>
</html>
`;
}

function percent(units: number, fuel: number): string {
  return `${((100 * units) / fuel).toFixed(3)}%`;
}

function grouped(figure: number): string {
  return figure.toLocaleString("en");
}

/** The same colour for the same name, among warm ones. */
function hue(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 60;
  return sum;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
