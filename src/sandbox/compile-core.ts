import { WasmhookError } from "../errors.js";
import type { CoreModule } from "./core-instance.js";
import { lackedFeature } from "./engine-features.js";
import type { MeterCaps } from "./meter/limits.js";
import { type Metered, meterModule } from "./meter.js";
import type { Minimum } from "./tank.js";

/**
 * Meters a core module and has the engine compile it.
 *
 * @throws WasmhookError `feature-refused` where the engine lacks what the module needs, `module-refused` where
 * it is not valid, or what `meterModule` throws
 */
export async function compileCore(bytes: Uint8Array, caps: MeterCaps): Promise<CoreModule> {
  const metered = meterModule(bytes, caps);
  try {
    // At once, in this thread: the engine's own threads may all be busy with optimising another guest.
    return { module: new WebAssembly.Module(metered.bytes), minimum: minimumOf(metered) };
  } catch (error) {
    // Such as a want of memory, which says nothing about the module.
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw lackedFeature(bytes) ?? notValid(error);
  }
}

function minimumOf({ memories, tables }: Metered): Minimum {
  return {
    pages: memories.reduce((sum, { minPages }) => sum + minPages, 0),
    elements: tables.reduce((sum, { minElements }) => sum + minElements, 0),
  };
}

function notValid(error: unknown): WasmhookError<"module-refused"> {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `A core module is not valid (${cause}); build the component again with a current toolchain.`;
  return new WasmhookError("module-refused", message, {});
}
