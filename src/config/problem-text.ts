import type { Problem } from "./problem.js";

/** A problem as compilers print it: `file:line:column: message`, with what is not known left out. */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined);
  return `${place.join(":")}: ${problem.message}`;
}
