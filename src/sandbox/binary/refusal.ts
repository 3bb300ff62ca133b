import { WasmhookError } from "../../errors.js";

function at(offset: number): string {
  return `at byte ${offset} (0x${offset.toString(16)})`;
}

/** Malformed bytes: something at `offset` that no valid module has. */
export function malformed(offset: number, what: string): WasmhookError<"module-refused"> {
  const message = `The module is malformed ${at(offset)}: ${what}; build it again with a current toolchain.`;
  return new WasmhookError("module-refused", message, { offset });
}

/** The bytes end at `offset` in the middle of `what`. */
export function truncated(offset: number, what: string): WasmhookError<"wasm-truncated"> {
  const message = `The file ends ${at(offset)} in the middle of ${what}; copy or build it again.`;
  return new WasmhookError("wasm-truncated", message, { offset });
}

/** Well-formed perhaps, but of a proposal that is not metered and capped here. */
export function featureRefused(offset: number, feature: string): WasmhookError<"feature-refused"> {
  const message = `The module uses ${feature} ${at(offset)}, which is not supported; build it without that feature.`;
  return new WasmhookError("feature-refused", message, { offset, feature });
}
