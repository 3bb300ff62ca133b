import { WasmhookError } from "../../errors.js";

/** Well-formed, but what it puts together does not fit, or is more than a hook can be put together of. */
export function cannotLink(offset: number, what: string): WasmhookError<"module-refused"> {
  const message = `The component cannot be linked at byte ${offset} (0x${offset.toString(16)}): ${what}; build it again with a current toolchain.`;
  return new WasmhookError("module-refused", message, { offset });
}
