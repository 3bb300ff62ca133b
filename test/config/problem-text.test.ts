import { expect, test } from "vitest";
import { formatProblem } from "#src/config/problem-text";

test("a problem is printed as compilers do, with what is not known left out", () => {
  const problem = { code: "bad-value", file: "a b.yaml", message: "wrong: correct it" } as const;
  expect(formatProblem({ ...problem, line: 3, column: 7 })).toBe("a b.yaml:3:7: wrong: correct it");
  expect(formatProblem({ ...problem, line: 3 })).toBe("a b.yaml:3: wrong: correct it");
  expect(formatProblem(problem)).toBe("a b.yaml: wrong: correct it");
});
