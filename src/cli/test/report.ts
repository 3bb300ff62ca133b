import type { Hook } from "../../hooks/hook.js";
import type { Run } from "../../hooks/outcome.js";
import { printableLine } from "../../hooks/printable.js";
import { formatOutcome, within } from "../outcome-text.js";
import { paint } from "../paint.js";
import { diffText } from "./diff-text.js";
import { expectedOf } from "./expected.js";
import { type CaseResult, isFailure } from "./run-case.js";

export interface ReportOptions {
  color: boolean;
  /** Whether to show how long runs took, which no two runs have alike. */
  times: boolean;
}

const WORDS: Readonly<Record<CaseResult["verdict"], string>> = {
  met: "ok",
  unchecked: "unchecked",
  updated: "updated",
  differs: "DIFFERS",
  failed: "FAILED",
  bad: "BAD",
};

/** The modules that are tested, each on a line with its size and digest. */
export function moduleLines(hooks: readonly Hook[]): string {
  const lines = hooks.flatMap(({ runner }) => {
    if (runner.kind !== "wasm") return [];
    const size = `${runner.bytes.length.toLocaleString("en")} bytes`;
    return [`${printableLine(runner.wasm)}  ${size}  sha256:${runner.sha256}\n`];
  });
  return [...new Set(lines)].join("");
}

/** One case for people: the verdict, what the event came to, and where that is not what was expected. */
export function caseText(result: CaseResult, { color, times }: ReportOptions): string {
  const word = WORDS[result.verdict].padEnd(9);
  const style = isFailure(result) ? "red" : result.verdict === "met" ? "green" : "yellow";
  const head = `${color ? paint(style, word) : word} ${printableLine(result.name)}`;
  if (result.verdict === "bad") return `${head}\n${inset([said(result)])}`;
  const { outcome } = result;
  const lines = formatOutcome(outcome, color, { times }).trimEnd().split("\n");
  if (outcome.runs.length === 0) lines.push("no hook is for this event");
  for (const { error } of outcome.runs) {
    if (error !== undefined) lines.push(`failed: ${within(error.message)} [${error.code}]`);
  }
  if (result.verdict === "differs") {
    lines.push(`not as in ${printableLine(result.expectedFile)} (- expected, + came):`);
    lines.push(...diffText(result.expected, expectedOf(outcome), color).map((line) => `  ${line}`));
  }
  return `${head}\n${inset(lines)}`;
}

function said({ error, file }: Extract<CaseResult, { verdict: "bad" }>): string {
  const where = error.message.includes(file) ? "" : `${printableLine(file)}: `;
  return `${where}${within(error.message)} [${error.code}]`;
}

function inset(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("");
}

/** Such as `12 events: 11 ok, 1 DIFFERS`. */
export function summaryLine(results: readonly CaseResult[]): string {
  const counts = Object.entries(WORDS).flatMap(([verdict, word]) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${results.length} event${results.length === 1 ? "" : "s"}: ${counts.join(", ")}\n`;
}

/** All of it as one document. */
export function reportJson(hooks: readonly Hook[], results: readonly CaseResult[], times: boolean): object {
  const modules = hooks.flatMap(({ runner }) => {
    if (runner.kind !== "wasm") return [];
    return [
      [runner.sha256, { wasm: runner.wasm, bytes: runner.bytes.length, sha256: runner.sha256 }] as const,
    ];
  });
  return {
    passed: !results.some(isFailure),
    modules: [...new Map(modules).values()],
    events: results.map((result) => caseJson(result, times)),
  };
}

function caseJson(result: CaseResult, times: boolean): object {
  if (result.verdict === "bad") {
    const { error, ...rest } = result;
    return { ...rest, error: { code: error.code, message: error.message } };
  }
  const { outcome } = result;
  const runs = times ? outcome.runs : outcome.runs.map(({ durationMs: _, ...run }: Run) => run);
  return { ...result, outcome: { ...outcome, runs } };
}
