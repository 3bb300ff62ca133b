import { createRequire } from "node:module";
import { join } from "node:path";
import { WasmhookError } from "../errors.js";

/**
 * The manifest of a package that only building needs: of the one that is installed where the source is, or else
 * where this package is.
 * @param what the package is, for people
 * @param how to get it
 * @throws WasmhookError `tool-missing`
 */
export function peerManifest(name: string, sourceDir: string, what: string, how: string): string {
  for (const importer of [join(sourceDir, "source.js"), import.meta.filename]) {
    try {
      return createRequire(importer).resolve(`${name}/package.json`);
    } catch {
      // Not installed there: the next place may have it.
    }
  }
  throw new WasmhookError("tool-missing", `${what} is not installed; ${how}`, { tool: name });
}
