import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { WasmhookError } from "../errors.js";
import { peerManifest } from "./peer-package.js";

/** The part of the AssemblyScript compiler's JavaScript API that is used here. */
export interface Asc {
  main(args: string[], options: AscOptions): Promise<{ error: Error | null }>;
}

export interface AscOptions {
  stdout: AscStream;
  stderr: AscStream;
  readFile(name: string, baseDir: string): Promise<string | null>;
  writeFile(name: string, contents: string | Uint8Array<ArrayBuffer>): void;
  listFiles(): string[];
  reportDiagnostic(diagnostic: {
    category: number;
    range: { source: { normalizedPath: string } | null } | null;
  }): void;
  transforms: { afterCompile(module: CompiledModule): void }[];
}

/** The category of a diagnostic that is an error; those below are warnings and less. */
export const ERROR_CATEGORY = 3;

export interface AscStream {
  write(text: string): void;
  isTTY: boolean;
}

/** The compiled module before it is optimised, as Binaryen has it. */
export interface CompiledModule {
  removeExport(name: string): void;
  addFunctionExport(internalName: string, externalName: string): number;
}

const OLDEST_MINOR = 28;
const HOW = "get it with: npm install --save-dev assemblyscript@0.28";

/**
 * The compiler that is installed where the source is, or else where this package is.
 * @throws WasmhookError `tool-missing` where there is none, or only one that is too old.
 */
export async function loadAsc(sourceDir: string): Promise<Asc> {
  const manifestFile = peerManifest("assemblyscript", sourceDir, "the AssemblyScript compiler", HOW);
  const { version } = JSON.parse(await readFile(manifestFile, "utf8")) as { version: string };
  const [major, minor] = version.split(".").map(Number);
  if (major === 0 && (minor ?? 0) < OLDEST_MINOR) {
    throw new WasmhookError("tool-missing", `the AssemblyScript compiler ${version} is too old; ${HOW}`, {
      tool: "assemblyscript",
    });
  }
  return (await import(pathToFileURL(join(dirname(manifestFile), "dist/asc.js")).href)) as Asc;
}
