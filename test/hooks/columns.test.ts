import { expect, test } from "vitest";
import { columnsOf, fitColumns, padColumns } from "#src/hooks/columns";

// Widths by hand, from Unicode's East Asian Width and what terminals make of emoji.
test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🪝 bash", 7],
  ["", 0],
])("%s takes %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test("a text is cut to its columns between graphemes, and never in the middle of a wide one", () => {
  expect(fitColumns("abcdef", 6)).toBe("abcdef");
  expect(fitColumns("abcdef", 4)).toBe("abc…");
  expect(fitColumns("日本語", 6)).toBe("日本語");
  expect(fitColumns("日本語", 5)).toBe("日本…");
  expect(fitColumns("日本語", 4)).toBe("日…");
  expect(fitColumns("a👩‍👩‍👧b", 3)).toBe("a…");
});

test("a text is filled up to its columns", () => {
  expect(padColumns("日本", 6)).toBe("日本  ");
  expect(padColumns("abcdef", 4)).toBe("abcdef");
});
