import { expect, test } from "vitest";
import { ownNode } from "#src/sandbox/process/own-node";

const MISSING = { code: "tool-missing", data: { tool: "node" }, message: /execPath/ };

test("guests run on the Node that runs this program", () => {
  expect(ownNode()).toBe(process.execPath);
});

test("a single executable is not started again in its stead", () => {
  expect(() => ownNode(process.versions, true)).toThrow(expect.objectContaining({ code: MISSING.code }));
});

test("nor is another runtime", () => {
  expect(() => ownNode({ ...process.versions, bun: "1.3.0" })).toThrow(MISSING.message);
});
