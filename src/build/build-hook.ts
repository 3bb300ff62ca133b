import { readFile } from "node:fs/promises";
import { WasmhookError } from "../errors.js";
import { compile } from "./compile.js";
import { componentize } from "./componentize.js";
import { buildJavaScript } from "./javascript.js";
import { type Language, languageOf, SOURCE_NAME } from "./language.js";

/** A component of the `hook` world, and what the compiler warned of, as it says it. */
export interface Built {
  bytes: Uint8Array;
  warnings: string;
}

export interface BuildOptions {
  /** Whether the compiler's words, `warnings` and the `cause` of `build-failed`, may have terminal colours. */
  colors?: boolean;
  /** Whether the module is to say how its functions are called, for a profile: it does the same otherwise. */
  names?: boolean;
  /** What the source is written in, where that is not to be told from the source. */
  language?: Language | undefined;
}

/**
 * Makes a component of the `hook` world of a source. In AssemblyScript that is a file `*.ts` that exports
 * `handle(event: Event): Decision | null`, and the same source gives the same bytes, wherever it lies; in JavaScript
 * or TypeScript one that exports `handle(event)`.
 * @throws WasmhookError `build-failed`, `tool-missing`
 */
export async function buildHook(source: string, options: BuildOptions = {}): Promise<Built> {
  const { colors = false, names = false } = options;
  if (!SOURCE_NAME.test(source) || /\.d\.m?ts$/.test(source)) {
    throw failed(`${source} is no source: give a file named *.ts, *.mts, *.js or *.mjs`);
  }
  const language = options.language ?? languageOf(source, await readSource(source));
  if (language !== "as") return await buildJavaScript(source, colors);
  if (!source.endsWith(".ts")) throw failed(`${source} is no AssemblyScript source: give a file named *.ts`);
  const { core, warnings } = await compile(source, { colors, names });
  return { bytes: await componentize(core, source), warnings };
}

async function readSource(source: string): Promise<string> {
  try {
    return await readFile(source, "utf8");
  } catch (error) {
    throw failed(`${source} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function failed(message: string): WasmhookError<"build-failed"> {
  return new WasmhookError("build-failed", message, { cause: "" });
}
