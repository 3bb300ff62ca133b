import type { FunctionFuel } from "./by-function.js";

const HEAD = ["self", "", "total", "", "calls", "function"] as const;

/** A table of functions, the figures at the right of their columns. */
export function tableText(rows: readonly FunctionFuel[], fuel: number): string {
  const share = (units: number) => `${fuel === 0 ? "0.0" : ((100 * units) / fuel).toFixed(1)}%`;
  const cells = rows.map(({ name, selfFuel, totalFuel, calls }) => [
    grouped(selfFuel),
    share(selfFuel),
    grouped(totalFuel),
    share(totalFuel),
    calls === 0 ? "" : grouped(calls),
    name,
  ]);
  const widths = HEAD.map((head, i) => Math.max(head.length, ...cells.map((row) => (row[i] ?? "").length)));
  return [HEAD, ...cells]
    .map((row) =>
      row.map((cell, i) => (i === HEAD.length - 1 ? cell : cell.padStart(widths[i] ?? 0))).join("  "),
    )
    .map((line) => `${line}\n`)
    .join("");
}

function grouped(figure: number): string {
  return figure.toLocaleString("en");
}
