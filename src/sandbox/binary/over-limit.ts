import { WasmhookError } from "../../errors.js";

/**
 * A figure over a static limit.
 *
 * @param limit the limit's name, as a config key has it
 * @param what what was counted, such as `functions`
 */
export function overLimit(
  limit: string,
  what: string,
  figure: number,
  allowed: number,
  offset?: number,
): WasmhookError<"module-refused"> {
  const where = offset === undefined ? "" : ` at byte ${offset} (0x${offset.toString(16)})`;
  const message = `The component has ${figure} ${what}${where}, over the limit of ${allowed}; make it smaller, or raise the limit ${limit}.`;
  return new WasmhookError("module-refused", message, offset === undefined ? { limit } : { offset, limit });
}
