import { extname } from "node:path";

/** What a source is written in; of TypeScript nothing is left but the JavaScript. */
export const LANGUAGES = ["as", "js", "ts"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The ends of names of sources. */
export const SOURCE_NAME = /\.(?:ts|mts|js|mjs)$/;

const IMPORTS_GUEST = /\bfrom\s*(["'])wasmhook\/guest(?:\/[^"']*)?\1/;

/** AssemblyScript is a `.ts` that imports its library, `wasmhook/guest`; any other `.ts` is TypeScript. */
export function languageOf(file: string, source: string): Language {
  const extension = extname(file);
  if (extension === ".js" || extension === ".mjs") return "js";
  return extension === ".ts" && IMPORTS_GUEST.test(source) ? "as" : "ts";
}
