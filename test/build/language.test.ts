import { expect, it } from "vitest";
import { languageOf } from "#src/build/language";

it.each([
  ["hook.ts", 'import { Event } from "wasmhook/guest";', "as"],
  ["hook.ts", "import { Event } from 'wasmhook/guest/index';", "as"],
  ["hook.ts", 'import type { TypedEvent } from "wasmhook/types";', "ts"],
  ["hook.ts", "export function handle() {}", "ts"],
  ["hook.ts", 'import { x } from "wasmhook/guests";', "ts"],
  ["hook.mts", 'import { Event } from "wasmhook/guest";', "ts"],
  ["hook.js", 'import { Event } from "wasmhook/guest";', "js"],
  ["hook.mjs", "", "js"],
] as const)("takes %s with %j for a source in %j", (file, source, language) => {
  expect(languageOf(file, source)).toBe(language);
});
