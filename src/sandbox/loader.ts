import { type ErrorCode, WasmhookError } from "../errors.js";
import type { LoadCall, Loaded, LoadReply, PreparedGuest } from "./guest-messages.js";
import { NodeWorker } from "./node-worker.js";
import { Pool } from "./pool.js";
import { fromPortable } from "./portable-error.js";
import { Turns } from "./turns.js";

/**
 * How the core modules of a component are put together: by a plan of our own, or by JavaScript that the
 * transpiler generates.
 */
export type Linking = "direct" | "transpiled";

/** How long it may take to make one module ready. */
export const LOAD_DEADLINE_MS = 30_000;
/** What loads holds much memory, which the guest may want, and is needed at the start only. */
const IDLE_MS = 200;
const HEAP_BYTES = 512 * 1024 * 1024;
const WORKERS: Readonly<Record<Linking, URL>> = {
  direct: new URL("./link-worker.js", import.meta.url),
  transpiled: new URL("./transpile-worker.js", import.meta.url),
};

/**
 * Turns modules into what can run, in a worker that is thrown away after any failure: one bad input can
 * leave the transpiler unable to take another.
 */
export class Loader {
  readonly #pool: Pool<LoadCall, LoadReply>;
  readonly #ownsBytes: boolean;

  /** @param ownsBytes whether the bytes of a call are its own from then on */
  constructor(linking: Linking, ownsBytes = false) {
    this.#ownsBytes = ownsBytes;
    const worker = { file: WORKERS[linking], name: "wasmhook loader", heapBytes: HEAP_BYTES };
    this.#pool = new Pool({
      turns: new Turns(1),
      start: () => new NodeWorker(worker),
      reusable: (reply) => "guest" in reply,
      idleMs: IDLE_MS,
    });
  }

  /** @throws WasmhookError that says why the module is refused, or one that `isTransient`. */
  async prepare(call: LoadCall): Promise<PreparedGuest> {
    return (await this.load(call)).guest;
  }

  /** The same, with its artefact if the call wants it and this linking has one. */
  async load(call: LoadCall): Promise<Loaded> {
    const { reply } = await this.#call(call);
    if ("failure" in reply) throw fromPortable(reply.failure);
    return reply;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #call(call: LoadCall): Promise<{ reply: LoadReply }> {
    const { buffer } = call.bytes;
    try {
      return await this.#pool.call("", () => ({
        message: call,
        deadlineMs: LOAD_DEADLINE_MS,
        transfer: this.#ownsBytes && buffer instanceof ArrayBuffer ? [buffer] : [],
      }));
    } catch (failure) {
      throw failure instanceof WasmhookError ? ofLoading(failure) : failure;
    }
  }
}

const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  "deadline",
  "out-of-memory",
  "worker-died",
  "aborted",
  "closed",
]);

/** Whether a load failed of what surrounds it: that is no verdict about the bytes, and another load may succeed. */
export function isTransient({ code }: { code: ErrorCode }): boolean {
  return TRANSIENT.has(code);
}

/** A failed call in words that are true of a load, which no limit of the hook's bounds. */
function ofLoading(failure: WasmhookError): WasmhookError {
  if (failure.code === "deadline") return loadOverrun();
  if (failure.code === "out-of-memory") {
    const message = `making the module ready to run took more than ${HEAP_BYTES} bytes of memory: build a smaller or simpler one`;
    return new WasmhookError("out-of-memory", message, { memoryBytes: HEAP_BYTES });
  }
  return failure;
}

export function loadOverrun(): WasmhookError<"deadline"> {
  const message = `the module was not ready to run after ${LOAD_DEADLINE_MS} ms: run the event again when the machine is less busy, or build a smaller module`;
  return new WasmhookError("deadline", message, { deadlineMs: LOAD_DEADLINE_MS });
}
