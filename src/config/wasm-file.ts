import { createHash } from "node:crypto";
import { WasmhookError } from "../errors.js";
import { DEFAULT_INSPECT_LIMITS } from "../sandbox/inspect/limits.js";
import { inspect } from "../sandbox/inspect.js";
import { readRegularFile } from "./regular-file.js";

/** Larger modules are not read at all. */
const { fileBytes: MAX_WASM_BYTES } = DEFAULT_INSPECT_LIMITS;

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

function inspectBytes(bytes: Uint8Array): WasmhookError | undefined {
  try {
    inspect(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
}
