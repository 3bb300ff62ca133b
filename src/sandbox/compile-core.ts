import { WasmhookError } from "../errors.js";
import type { CoreModule } from "./core-instance.js";
import { lackedFeature } from "./engine-features.js";
import type { MeterCaps } from "./meter/limits.js";
import { type Metered, meterModule } from "./meter.js";
import type { Minimum } from "./tank.js";

/** A core module with its meter in it, not compiled yet. */
export interface MeteredCore {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly minimum: Minimum;
}

/** @throws WasmhookError what `meterModule` throws */
export function meterCore(bytes: Uint8Array, caps: MeterCaps, guestThrows: boolean): MeteredCore {
  const metered = meterModule(bytes, caps, guestThrows);
  return { bytes: metered.bytes, minimum: minimumOf(metered) };
}

/**
 * Has the engine compile a metered core module.
 *
 * @param original its bytes before it was metered
 * @throws WasmhookError `feature-refused` where the engine lacks what the module needs, or `module-refused`
 * where it is not valid
 */
export function compileCore(metered: MeteredCore, original: Uint8Array): CoreModule {
  try {
    return compileMetered(metered);
  } catch (error) {
    // Such as a want of memory, which says nothing about the module.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw lackedFeature(original) ?? notValid(error);
  }
}

/** @throws whatever the engine throws */
export function compileMetered({ bytes, minimum }: MeteredCore): CoreModule {
  // At once, in this thread: the engine's own threads may all be busy with optimising another guest.
  return { module: new WebAssembly.Module(bytes), minimum };
}

function minimumOf({ memories, tables }: Metered): Minimum {
  return {
    pages: memories.reduce((sum, { minPages }) => sum + minPages, 0),
    elements: tables.reduce((sum, { minElements }) => sum + minElements, 0),
  };
}

function notValid(error: unknown): WasmhookError<"module-refused"> {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `A core module is not valid (${cause}); build it again with a current toolchain.`;
  return new WasmhookError("module-refused", message, {});
}
