import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { WasmhookError } from "../errors.js";
import { readRegularFile } from "./regular-file.js";

/** Larger modules are not read at all. */
const MAX_WASM_BYTES = 32 * 1024 * 1024;

/** A module as it was when it was read, and why it cannot be a hook if it cannot. */
export interface ModuleReading {
  module?: {
    bytes: Uint8Array;
    /** Lower-case hexadecimal SHA-256 of `bytes`. */
    sha256: string;
  };
  refusal?: WasmhookError;
}

export type ModuleReader = (file: string) => Promise<ModuleReading>;

/** Reads each file once, however many hooks name it: all of them get the same bytes. */
export function moduleReader(): ModuleReader {
  const readings = new Map<string, Promise<ModuleReading>>();
  return (file) => {
    const reading = readings.get(file) ?? readModuleFile(file);
    readings.set(file, reading);
    return reading;
  };
}

async function readModuleFile(file: string): Promise<ModuleReading> {
  const reading = await readRegularFile(file, MAX_WASM_BYTES);
  if ("fault" in reading) return { refusal: refusalOf(file, reading.fault, reading.cause) };
  const { bytes } = reading;
  const module = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  const refusal = inspectBytes(bytes);
  return refusal === undefined ? { module } : { module, refusal };
}

function refusalOf(
  file: string,
  fault: "missing" | "unreadable" | "too-large",
  cause: string,
): WasmhookError {
  if (fault === "missing") {
    const message = `there is no file ${file}: correct the path, or build the module`;
    return new WasmhookError("wasm-missing", message, { file });
  }
  if (fault === "unreadable") {
    const message = `${file} cannot be read, ${cause}: name a file that can`;
    return new WasmhookError("wasm-unreadable", message, { file, cause });
  }
  const message = `${file} is refused, ${cause}: make it smaller`;
  return new WasmhookError("module-refused", message, { limit: `${MAX_WASM_BYTES} bytes` });
}

function inspectBytes(_bytes: Uint8Array): WasmhookError | undefined {
  return undefined;
}

/** What a `wasm:` path means: `~/`, and relative to the directory of the config file. */
export function resolveModulePath(written: string, directory: string): string {
  return resolve(directory, written.startsWith("~/") ? join(homedir(), written.slice(2)) : written);
}

/** Puts the config file's directory for `$MM_CONFIG_DIR` and `${MM_CONFIG_DIR}`. Other variables stay as they are. */
export function expandConfigDir(written: string, directory: string): string {
  return written.replace(/\$\{MM_CONFIG_DIR\}|\$MM_CONFIG_DIR(?![A-Za-z0-9_])/g, () => directory);
}
