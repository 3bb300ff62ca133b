import { parentPort } from "node:worker_threads";
import { WasmhookError } from "../../errors.js";
import type { GuestRequest } from "../instance.js";
import { type PortableError, toPortable } from "../portable-error.js";
import { dropAuthority } from "../realm.js";
import { type Profile, profileGuest } from "./profile-guest.js";

export interface ProfileCall extends GuestRequest {
  bytes: Uint8Array;
}

export type ProfileReply =
  | { failure: PortableError }
  | (Omit<Profile, "report"> & { report: PortableReport });

type PortableReport = Omit<Profile["report"], "result"> & {
  result: Exclude<Profile["report"]["result"], { failure: WasmhookError }> | { failure: PortableError };
};

function answer({ bytes, ...request }: ProfileCall): ProfileReply {
  try {
    const { report, ...profile } = profileGuest(bytes, request);
    const { result } = report;
    const portable = "failure" in result ? { failure: toPortable(result.failure) } : result;
    return { ...profile, report: { ...report, result: portable } };
  } catch (error) {
    // Anything else ends this worker, which is what tells the other side.
    if (!(error instanceof WasmhookError)) throw error;
    return { failure: toPortable(error) };
  }
}

const port = parentPort;
if (port !== null) {
  dropAuthority();
  port.on("message", (call: ProfileCall) => port.postMessage(answer(call)));
  port.postMessage("ready");
}
