import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "./check.js";

const INPUTS = new URL("inputs/", import.meta.url);

/** Kept under a name that says what it is, and then what it comes to. */
const files = readdirSync(INPUTS).map((file): [name: string, outcome: string] => {
  const [name = "", outcome = ""] = file.replace(/\.wasm$/, "").split(".");
  return [name, outcome];
});

test.each(files)("an input that was found or kept comes to what it should: %s, %s", (name, outcome) => {
  const bytes = Uint8Array.from(readFileSync(new URL(`${name}.${outcome}.wasm`, INPUTS)));
  expect(check(bytes).outcome.replace(": ", "-")).toBe(outcome);
});
