import { createHash } from "node:crypto";
import { WasmhookError } from "../errors.js";
import { changedLimits, DEFAULT_MODULE_LIMITS, type ModuleLimits } from "../hooks/module-limits.js";
import { orRaise } from "../sandbox/binary/over-limit.js";
import { inspect } from "../sandbox/inspect.js";
import { readRegularFile } from "./regular-file.js";

interface ModuleFile {
  bytes: Uint8Array;
  /** Lower-case hexadecimal SHA-256 of `bytes`. */
  sha256: string;
}

/** A module as it was when it was read, and why it cannot be a hook if it cannot. */
export interface ModuleReading {
  module?: ModuleFile;
  refusal?: WasmhookError | undefined;
}

/** @param limits what the module may have at all; those left out are as by default */
export type ModuleReader = (file: string, limits?: Partial<ModuleLimits>) => Promise<ModuleReading>;

/** Reads each file once, however many hooks name it: all of them get the same bytes. */
export function moduleReader(): ModuleReader {
  const modules = new Map<string, ModuleFile>();
  const refusals = new Map<string, WasmhookError | undefined>();
  return async (file, limits = {}) => {
    const module = modules.get(file) ?? (await readModuleFile(file, limits));
    if (module instanceof WasmhookError) return { refusal: module };
    modules.set(file, module);
    const key = `${changedLimits(limits)} ${file}`;
    if (!refusals.has(key)) refusals.set(key, refusalOfBytes(module.bytes, limits));
    return { module, refusal: refusals.get(key) };
  };
}

/** Reads a module, as any is read. Returns what is wrong with the file where it cannot be. */
export async function readModuleFile(
  file: string,
  { fileBytes = DEFAULT_MODULE_LIMITS.fileBytes }: Partial<ModuleLimits>,
): Promise<ModuleFile | WasmhookError> {
  const reading = await readRegularFile(file, fileBytes);
  if ("bytes" in reading) {
    const { bytes } = reading;
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  }
  const { fault, cause } = reading;
  if (fault === "missing") {
    const message = `there is no file ${file}: correct the path, or build the module`;
    return new WasmhookError("wasm-missing", message, { file });
  }
  if (fault === "unreadable") {
    const message = `${file} cannot be read, ${cause}: name a file that can`;
    return new WasmhookError("wasm-unreadable", message, { file, cause });
  }
  const message = `${file} is refused, ${cause}: make it smaller${orRaise("fileBytes", fileBytes)}`;
  return new WasmhookError("module-refused", message, { limit: "fileBytes" });
}

function refusalOfBytes(bytes: Uint8Array, limits: Partial<ModuleLimits>): WasmhookError | undefined {
  try {
    inspect(bytes, limits);
    return undefined;
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
}
