import { expect, test } from "vitest";
import { withContext } from "#src/hooks/added-context";

test("context is appended under [context added by a hook]", () => {
  expect(withContext("Deploy it.", "Production is frozen.")).toBe(
    "Deploy it.\n\n[context added by a hook]\nProduction is frozen.",
  );
});

test("without context the text stays as it is", () => {
  expect(withContext("Deploy it.", undefined)).toBe("Deploy it.");
});

test("an output that ends its line, or is empty, gets no line more than it needs", () => {
  expect(withContext("done\n", "x")).toBe("done\n\n[context added by a hook]\nx");
  expect(withContext("", "x")).toBe("[context added by a hook]\nx");
});
