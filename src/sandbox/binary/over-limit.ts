import { WasmhookError } from "../../errors.js";
import { type ModuleLimit, mostOf } from "../../hooks/module-limits.js";

/**
 * A figure over a static limit.
 *
 * @param what what was counted, such as `functions`
 */
export function overLimit(
  limit: ModuleLimit,
  what: string,
  figure: number,
  allowed: number,
  offset?: number,
): WasmhookError<"module-refused"> {
  const where = offset === undefined ? "" : ` at byte ${offset} (0x${offset.toString(16)})`;
  const message = `The module has ${figure} ${what}${where}, over the limit of ${allowed}; make it smaller${orRaise(limit, allowed)}.`;
  return new WasmhookError("module-refused", message, offset === undefined ? { limit } : { offset, limit });
}

/** The rest of an advice: whether whoever declares the hook may raise the limit. */
export function orRaise(limit: ModuleLimit, allowed: number): string {
  return allowed < mostOf(limit)
    ? `, or raise the limit ${limit} (limits: module)`
    : ` (${limit} can be raised no further)`;
}
