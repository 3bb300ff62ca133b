import { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import { EVENT_BYTES_LIMIT } from "../hooks/limits.js";
import type { LogLine } from "../hooks/outcome.js";
import type { GuestCall, GuestReply, LoadCall, PreparedComponent } from "./guest-messages.js";
import type { GuestRequest } from "./instance.js";
import { isTransient, type Linking, Loader } from "./loader.js";
import { defaultGuestWorkers, NodeWorker } from "./node-worker.js";
import { Pool } from "./pool.js";
import { fromPortable } from "./portable-error.js";
import { pagesIn, TABLE_ELEMENTS_LIMIT } from "./tank.js";
import { Turns } from "./turns.js";

/**
 * The cap on the JavaScript heap of a guest's worker. A text that is larger than what is left of it would
 * not end the worker but abort the process, so it holds an event, an answer and a log of the most bytes each.
 */
const GUEST_HEAP_BYTES = 512 * 1024 * 1024;

/** A module that was inspected, metered and compiled, and can run. */
export interface SandboxModule {
  /** Tells modules apart that differ in their bytes, or in what was written into them. */
  readonly id: string;
  /** Opaque. */
  readonly component: PreparedComponent;
}

export interface RunRequest extends GuestRequest {
  signal?: AbortSignal | undefined;
}

/** What came of one event. */
export interface SandboxRun {
  result: { ok: string } | { failure: WasmhookError };
  /** Not known where the worker had to be ended, or died. */
  fuelUsed?: number;
  peakMemoryBytes?: number;
  logs: LogLine[];
  /** Wall clock from when a worker got the event; with the time in the queue where no worker answered. */
  durationMs: number;
}

export interface SandboxOptions {
  /** How many guests run at once, over all hooks. */
  workers?: number;
  /** Not for users: the other way gives the same. */
  linking?: Linking;
}

/** Runs untrusted components of the `hook` world in worker threads. Nothing is started before it is needed. */
export class Sandbox {
  readonly #loader: Loader;
  readonly #guests: Pool<GuestCall, GuestReply>;
  readonly #modules = new Map<string, Promise<SandboxModule>>();

  constructor({ workers = defaultGuestWorkers(), linking = "direct" }: SandboxOptions = {}) {
    this.#loader = new Loader(linking);
    this.#guests = new Pool({
      turns: new Turns(workers),
      start: () =>
        new NodeWorker({ file: GUEST_WORKER, name: "wasmhook guest", heapBytes: GUEST_HEAP_BYTES }),
      // An instance that said why it failed did so by a normal return; after anything else we take no chances.
      reusable: ({ result }) => "ok" in result || result.failure.code === "guest-error",
    });
  }

  /**
   * Makes a module ready to run, once for each digest and cap on its memory. What is refused is not tried again;
   * what failed of its surroundings is, by the next call.
   * @param sha256 of `bytes`, which is for the caller to have verified.
   * @throws WasmhookError that says why the module is refused.
   */
  load(
    bytes: Uint8Array,
    sha256: string,
    { memoryBytes }: Pick<Limits, "memoryBytes">,
  ): Promise<SandboxModule> {
    const caps = { memoryPages: pagesIn(memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
    const id = `${sha256}/${caps.memoryPages}`;
    const loaded = this.#modules.get(id) ?? this.#load({ bytes, caps }, id);
    this.#modules.set(id, loaded);
    return loaded;
  }

  /** Runs one event in a fresh instance. Never rejects: whatever goes wrong is the run's failure. */
  async run({ id, component }: SandboxModule, { signal, ...request }: RunRequest): Promise<SandboxRun> {
    const { deadlineMs } = request.limits;
    if (request.event.length > EVENT_BYTES_LIMIT) {
      return { result: { failure: eventTooLarge(request.event.length) }, logs: [], durationMs: 0 };
    }
    const start = performance.now();
    const callFor = (known: boolean): GuestCall => ({
      ...request,
      id,
      component: known ? undefined : component,
    });
    try {
      const { reply, durationMs } = await this.#guests.call(id, callFor, { deadlineMs, signal });
      const result = "ok" in reply.result ? reply.result : { failure: fromPortable(reply.result.failure) };
      return { ...reply, result, durationMs };
    } catch (failure) {
      if (!(failure instanceof WasmhookError)) throw failure;
      return { result: { failure }, logs: [], durationMs: performance.now() - start };
    }
  }

  /** Ends all workers; what is under way fails as `closed`. Resolves when no thread is left. */
  async close(): Promise<void> {
    await Promise.all([this.#loader.close(), this.#guests.close()]);
  }

  async #load(call: LoadCall, id: string): Promise<SandboxModule> {
    try {
      return { id, component: await this.#loader.prepare(call) };
    } catch (failure) {
      if (!(failure instanceof WasmhookError) || isTransient(failure)) this.#modules.delete(id);
      throw failure;
    }
  }
}

const GUEST_WORKER = new URL("./guest-worker.js", import.meta.url);

function eventTooLarge(bytes: number): WasmhookError<"event-too-large"> {
  const message = `the event is over ${EVENT_BYTES_LIMIT} bytes: send less of what the tool gave`;
  return new WasmhookError("event-too-large", message, { bytes, limitBytes: EVENT_BYTES_LIMIT });
}
