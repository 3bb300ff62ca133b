import { access } from "node:fs/promises";
import { WasmhookError } from "../errors.js";
import { compile } from "./compile.js";
import { componentize } from "./componentize.js";

/** A component of the `hook` world, and what the compiler warned of, as it says it. */
export interface Built {
  bytes: Uint8Array;
  warnings: string;
}

/**
 * Makes a component of the `hook` world of an AssemblyScript source, a file `*.ts` that exports
 * `handle(event: Event): Decision | null`. The same source gives the same bytes, wherever it lies.
 * @param colors whether the compiler's words, `warnings` and the `cause` of `build-failed`, may have terminal colours.
 * @throws WasmhookError `build-failed`, `tool-missing`
 */
export async function buildHook(source: string, { colors = false } = {}): Promise<Built> {
  if (!source.endsWith(".ts") || source.endsWith(".d.ts")) {
    throw new WasmhookError("build-failed", `${source} is no AssemblyScript source: give a file named *.ts`, {
      cause: "",
    });
  }
  try {
    await access(source);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new WasmhookError("build-failed", `${source} cannot be read: ${cause}`, { cause: "" });
  }
  const { core, warnings } = await compile(source, colors);
  return { bytes: await componentize(core, source), warnings };
}
