import { WasmhookError } from "#src/errors";
import type { ModuleLimits } from "#src/hooks/module-limits";
import { inspect } from "#src/sandbox/inspect";

/** The error with which `inspect` refuses these bytes. Anything else that it throws goes through. */
export function refusalOf(bytes: Uint8Array, limits?: Partial<ModuleLimits>): WasmhookError {
  try {
    inspect(bytes, limits);
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
  throw new Error("the component was accepted");
}
