import { WasmhookError } from "../../errors.js";
import type { GuestRequest } from "../instance.js";
import { NodeWorker } from "../node-worker.js";
import { fromPortable } from "../portable-error.js";
import type { Profile } from "./profile-guest.js";
import type { ProfileCall, ProfileReply } from "./profile-worker.js";

const WORKER = new URL("./profile-worker.js", import.meta.url);
const HEAP_BYTES = 1024 * 1024 * 1024;
/** Of loading and running: each call of a function is told, which takes longer than most functions do. */
const DEADLINE_MS = 120_000;

/**
 * Runs one event in a worker, and tells where the fuel went: each unit that the run used, as one without a profile does.
 * @throws WasmhookError that says why the module is refused; `deadline`, `out-of-memory` or `worker-died`
 */
export async function profile(bytes: Uint8Array, request: GuestRequest): Promise<Profile> {
  const worker = new NodeWorker<ProfileCall, ProfileReply>({
    file: WORKER,
    name: "wasmhook profiler",
    heapBytes: HEAP_BYTES,
  });
  try {
    await worker.ready;
    const reply = await worker.call({ bytes, ...request }, { deadlineMs: DEADLINE_MS });
    if ("failure" in reply) throw fromPortable(reply.failure);
    const { report, ...profile } = reply;
    const { result } = report;
    return {
      ...profile,
      report: { ...report, result: "failure" in result ? { failure: fromPortable(result.failure) } : result },
    };
  } finally {
    await worker.end(new WasmhookError("closed", "the profile is done", {}));
  }
}
