import { printable } from "../hooks/printable.js";
import type { Problem } from "./problem.js";
import { formatProblem } from "./problem-text.js";

/** A problem of a config file as one line, its code last, as all errors of the command line have it. */
export function problemLine(problem: Problem): string {
  return `${printable(formatProblem(problem))} [${problem.code}]`;
}
