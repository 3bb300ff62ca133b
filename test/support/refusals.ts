import { WasmhookError } from "#src/errors";
import { inspect } from "#src/sandbox/inspect";
import type { InspectLimits } from "#src/sandbox/inspect/limits";

/** The error with which `inspect` refuses these bytes. Anything else that it throws goes through. */
export function refusalOf(bytes: Uint8Array, limits?: Partial<InspectLimits>): WasmhookError {
  try {
    inspect(bytes, limits);
  } catch (error) {
    if (error instanceof WasmhookError) return error;
    throw error;
  }
  throw new Error("the component was accepted");
}
