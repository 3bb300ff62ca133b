import { WasmhookError } from "./errors.js";

/** The caller's signal aborted. */
export function aborted(): WasmhookError<"aborted"> {
  return new WasmhookError(
    "aborted",
    "the run was aborted by its caller: run the event again if need be",
    {},
  );
}

/** What would have run it was closed, before or meanwhile. */
export function closed(): WasmhookError<"closed"> {
  return new WasmhookError("closed", "these hooks are closed: load them again to run an event", {});
}
