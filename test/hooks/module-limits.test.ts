import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  changedLimits,
  DEFAULT_MODULE_LIMITS,
  isFixed,
  MODULE_LIMITS,
  mostOf,
} from "#src/hooks/module-limits";

/** As the README lists them. */
const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
function listed(heading: string): string[] {
  const row = readme.split("\n").find((line) => line.startsWith(`| ${heading} |`)) ?? "";
  return [...row.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

describe("a limit of modules", () => {
  test("may be raised to four times its default, or not at all, as the README says of each", () => {
    const raised = listed("four times its default");
    const fixed = listed("its default");
    expect([...raised, ...fixed].sort()).toEqual(MODULE_LIMITS.toSorted());
    for (const limit of raised)
      expect(mostOf(limit as never)).toBe(4 * DEFAULT_MODULE_LIMITS[limit as never]);
    for (const limit of fixed) {
      expect([isFixed(limit as never), mostOf(limit as never)]).toEqual([
        true,
        DEFAULT_MODULE_LIMITS[limit as never],
      ]);
    }
  });

  test("is never raised where it bounds what an engine's compilers do", () => {
    const names = MODULE_LIMITS.filter((name) => /branch|loop|heavy|locals|body|code|types$/i.test(name));
    expect(names.filter((name) => name !== "componentTypes").every(isFixed)).toBe(true);
  });
});

describe("limits as text", () => {
  test("are the same whatever the order they were set in, and what is set to its default is not there", () => {
    const { functions } = DEFAULT_MODULE_LIMITS;
    expect(changedLimits({ tables: 3, functions, imports: 0 })).toBe(
      changedLimits({ imports: 0, tables: 3 }),
    );
    expect(changedLimits({ tables: 3, imports: 0 })).not.toBe(changedLimits({ imports: 3, tables: 0 }));
    for (const limits of [undefined, {}, DEFAULT_MODULE_LIMITS]) expect(changedLimits(limits)).toBe("");
  });
});
