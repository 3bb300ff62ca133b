import type { WasmhookError } from "../errors.js";
import { printable, printableLine } from "../hooks/printable.js";
import type { CoreModuleDescription } from "../sandbox/describe/describe-module.js";
import type { ExternDescription } from "../sandbox/describe/externs.js";
import type { SectionSize } from "../sandbox/describe/section-sizes.js";
import type { FileDescription } from "../sandbox/describe.js";
import { shownName } from "../sandbox/inspect/escaped.js";
import { PAGE_BYTES } from "../sandbox/tank.js";
import { paint } from "./paint.js";

export interface DescribedFile extends Omit<FileDescription, "refusal"> {
  file: string;
  sha256: string;
  refusal: WasmhookError | undefined;
}

/** A description for people: the verdict first, then a line for each thing that was found. */
export function formatDescription(described: DescribedFile, color: boolean): string {
  const { kind, bytes, world, sha256, imports, exports, coreModules, producers, sections } = described;
  const lines = [verdictLine(described, color), `kind       ${kind}`];
  if (world !== undefined) lines.push(`world      ${world}`);
  lines.push(`sha256     ${sha256}`, `size       ${inBytes(bytes)}`);
  lines.push(...coreModules.flatMap(moduleLines));
  for (const { field, name, version } of producers) {
    lines.push(
      `made with  ${[name, version]
        .filter((part) => part !== "")
        .map(shownName)
        .join(" ")} (${shownName(field)})`,
    );
  }
  if (kind !== "neither") {
    lines.push("imports", ...externLines(imports), "exports", ...externLines(exports));
    lines.push("sections", ...sectionLines(sections, "  "));
  }
  return `${lines.join("\n")}\n`;
}

function verdictLine({ file, refusal }: DescribedFile, color: boolean): string {
  const [verdict, style] =
    refusal === undefined ? (["accepted", "green"] as const) : (["refused", "red"] as const);
  const why = refusal === undefined ? "" : `: ${printable(refusal.message)} [${refusal.code}]`;
  return `${printableLine(file)}: ${color ? paint(style, verdict) : verdict}${why}`;
}

function moduleLines(
  module: CoreModuleDescription,
  index: number,
  all: readonly CoreModuleDescription[],
): string[] {
  const { bytes, instances, whole, functions, memories, tables } = module;
  const times = instances === 1 ? "" : `, ${instances} times`;
  return [
    ...(all.length === 1 ? [] : [`module ${index}   ${inBytes(bytes)}${times}`]),
    `functions  ${functions.toLocaleString("en")}${whole ? "" : ", as far as the module could be read"}`,
    ...memories.map((memory) => `memory     ${atStart(memory.minPages, memory.maxPages, inPages)}`),
    ...tables.map((table) => `table      ${atStart(table.minElements, table.maxElements, inElements)}`),
  ];
}

function atStart(min: number, max: number | undefined, unit: (count: number) => string): string {
  return `${unit(min)} at the start, ${max === undefined ? "no maximum of its own" : `at most ${unit(max)}`}`;
}

function externLines(externs: readonly ExternDescription[]): string[] {
  if (externs.length === 0) return ["  none"];
  return externs.flatMap(({ name, type, items = [], omitted }) => [
    `  ${shownName(name)}${type === undefined ? "" : `: ${type}`}`,
    ...items.map((item) => `    ${shownName(item.name)}: ${item.type}`),
    ...(omitted === undefined ? [] : [`    and ${omitted.toLocaleString("en")} more`]),
  ]);
}

function sectionLines(sections: readonly SectionSize[], indent: string): string[] {
  if (sections.length === 0) return [`${indent}none`];
  return sections.flatMap(({ name, customName, count, bytes, sections: inner }) => {
    const label = customName === undefined ? name : `${name} ${shownName(customName)}`;
    const line = `${indent}${label}${count === 1 ? "" : ` (${count.toLocaleString("en")})`}`;
    const size = bytes.toLocaleString("en").padStart(Math.max(1, SIZE_COLUMN - line.length));
    return [`${line} ${size}`, ...(inner === undefined ? [] : sectionLines(inner, `${indent}  `))];
  });
}

const SIZE_COLUMN = 44;

function inBytes(count: number): string {
  return `${count.toLocaleString("en")} bytes`;
}

function inPages(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "page" : "pages"} (${((count * PAGE_BYTES) / 1024).toLocaleString("en")} KiB)`;
}

function inElements(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "element" : "elements"}`;
}
