import { parentPort } from "node:worker_threads";
import { WasmhookError } from "../errors.js";
import type { LoadCall, Loaded, LoadReply } from "./guest-messages.js";
import { toPortable } from "./portable-error.js";

/** Makes a module ready to run. @throws WasmhookError that says why not */
export type Prepare = (call: LoadCall) => Loaded;

/** Answers the calls of a `Loader`, in the worker that this runs in. */
export function serveLoads(prepare: Prepare): void {
  const port = parentPort;
  if (port === null) return;
  port.on("message", (call: LoadCall) => {
    const reply = answer(prepare, call);
    const { artefact = [] } = "artefact" in reply ? reply : {};
    port.postMessage(
      reply,
      artefact.map(({ buffer }) => buffer),
    );
  });
  port.postMessage("ready");
}

function answer(prepare: Prepare, call: LoadCall): LoadReply {
  try {
    return prepare(call);
  } catch (error) {
    // Anything else ends this worker, which is what tells the other side.
    if (!(error instanceof WasmhookError)) throw error;
    return { failure: toPortable(error) };
  }
}
