import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { WasmhookError } from "../errors.js";
import { type CompiledModule, ERROR_CATEGORY, loadAsc } from "./asc.js";
import { ENTRY_EXPORTS, ENTRY_FILE, entrySource } from "./entry.js";

const PACKAGE_DIR = fileURLToPath(new URL("../../", import.meta.url));
const OUTPUT = "hook.wasm";

/** The author's source imports the SDK of this package, whatever version lies in its `node_modules`. */
const SDK = ["", "node_modules", "wasmhook", "guest", ""].join(sep);

/** A core module, and what the compiler warned of, as it says it. */
export interface Compiled {
  core: Uint8Array<ArrayBuffer>;
  warnings: string;
}

export interface CompileOptions {
  /** Whether the compiler's words may have terminal colours. */
  colors: boolean;
  /** Whether the module says how its functions are called. */
  names: boolean;
}

/**
 * Compiles an AssemblyScript source that exports `handle` to a core module with the exports of the `hook`
 * world. Compiler options are those of this package's `asconfig.json`.
 * @throws WasmhookError `tool-missing`; `build-failed`, with the compiler's own words as `cause`.
 */
export async function compile(source: string, { colors, names }: CompileOptions): Promise<Compiled> {
  const sourceDir = dirname(resolve(source));
  const asc = await loadAsc(sourceDir);
  const said: string[] = [];
  let core: Uint8Array<ArrayBuffer> | undefined;
  let blamesEntry = false;
  let otherErrors = 0;
  const { error } = await asc.main(
    [
      ENTRY_FILE,
      "--baseDir",
      sourceDir,
      "--config",
      join(PACKAGE_DIR, "asconfig.json"),
      "--outFile",
      OUTPUT,
      ...(names ? ["--debug"] : []),
    ],
    {
      stdout: { isTTY: false, write() {} },
      // Where there is a variable CI the compiler colours whatever it is told of the stream.
      stderr: {
        isTTY: colors,
        write: (text) => said.push(colors ? text : stripVTControlCharacters(text)),
      },
      readFile: (name, baseDir) => {
        const file = resolve(baseDir, name);
        if (file === join(sourceDir, ENTRY_FILE))
          return Promise.resolve(entrySource(basename(source, ".ts")));
        const inSdk = file.lastIndexOf(SDK);
        return readText(inSdk === -1 ? file : join(PACKAGE_DIR, "guest", file.slice(inSdk + SDK.length)));
      },
      writeFile: (name, contents) => {
        if (name === OUTPUT && typeof contents !== "string") core = contents;
      },
      listFiles: () => [],
      reportDiagnostic: ({ category, range }) => {
        if (range?.source?.normalizedPath !== ENTRY_FILE) {
          if (category === ERROR_CATEGORY) otherErrors++;
          return;
        }
        // Nobody wrote that file, so nobody can read what is said about it: its words are ours to give.
        blamesEntry = true;
        said.pop();
      },
      transforms: [{ afterCompile: exportForAbi }],
    },
  );
  if (error === null && core !== undefined) return { core, warnings: said.join("") };
  throw new WasmhookError(
    "build-failed",
    blamesEntry && otherErrors === 0
      ? `${source} must export "function handle(event: Event): Decision | null", with Event and Decision imported from "wasmhook/guest"`
      : `${source} does not compile: ${blamesEntry ? `${otherErrors} error(s)` : (error?.message ?? "the compiler gave no module")}`,
    // The last thing that is said is how many errors there were, which the sentence says as well.
    { cause: said.slice(0, -1).join("") },
  );
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return null;
  }
}

/** AssemblyScript cannot export such names itself. */
function exportForAbi(module: CompiledModule): void {
  for (const { internal, exported, abi } of ENTRY_EXPORTS) {
    module.removeExport(exported);
    module.addFunctionExport(internal, abi);
  }
}
