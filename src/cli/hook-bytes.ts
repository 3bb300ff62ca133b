import { resolve } from "node:path";
import type { BuildOptions } from "../build/build-hook.js";
import { SOURCE_NAME } from "../build/language.js";
import { readModuleFile } from "../config/wasm-file.js";
import { WasmhookError } from "../errors.js";
import { buildSource } from "./build-source.js";
import type { Io } from "./io.js";

/** How the bytes of a hook come of a file; undefined of one that is neither a module nor a source. */
export function readerOf(
  file: string,
  options: Pick<BuildOptions, "names"> = {},
): ((file: string, io: Io) => Promise<Uint8Array>) | undefined {
  if (file.endsWith(".wasm")) return readModule;
  return SOURCE_NAME.test(file) ? (source, io) => buildSource(source, io, options) : undefined;
}

async function readModule(file: string): Promise<Uint8Array> {
  const read = await readModuleFile(resolve(file), {});
  if (read instanceof WasmhookError) throw read;
  return read.bytes;
}
