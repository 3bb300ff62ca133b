import { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import { EVENT_BYTES_LIMIT } from "../hooks/limits.js";
import { changedLimits } from "../hooks/module-limits.js";
import type { LogLine } from "../hooks/outcome.js";
import type { ArtefactCache } from "./cache/artefact-cache.js";
import { CachedLoader } from "./cache/cached-loader.js";
import type { GuestCall, GuestReply, PreparedGuest } from "./guest-messages.js";
import type { GuestAnswer, GuestRequest } from "./instance.js";
import { LoadOnce } from "./load-once.js";
import { type Linking, Loader } from "./loader.js";
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
  readonly id: string;
  /** Opaque. */
  readonly guest: PreparedGuest;
}

export interface RunRequest extends GuestRequest {
  signal?: AbortSignal | undefined;
}

/** What came of one event. */
export interface SandboxRun {
  result: GuestAnswer | { failure: WasmhookError };
  /** Not known where the worker had to be ended, or died. */
  fuelUsed?: number;
  peakMemoryBytes?: number;
  logs: LogLine[];
  /** Wall clock from when a worker got the event; with the time in the queue where no worker answered. */
  durationMs: number;
}

/** The limits that a module is loaded with, and cannot be changed afterwards. */
export type LoadLimits = Pick<Limits, "memoryBytes" | "module">;

/** Where untrusted components of the `hook` world can run, and commands of WASI preview 1. */
export interface GuestHost<Module> {
  /**
   * Makes a module ready to run, once for each digest and these limits. What is refused is not tried again;
   * what failed of its surroundings is, by the next call.
   * @param sha256 of `bytes`, which is for the caller to have verified.
   * @throws WasmhookError that says why the module is refused.
   */
  load(bytes: Uint8Array, sha256: string, limits: LoadLimits): Promise<Module>;
  /** Runs one event in a fresh instance. Never rejects: whatever goes wrong is the run's failure. */
  run(module: Module, request: RunRequest): Promise<SandboxRun>;
  /** Ends all that this has started; what is under way fails as `closed`. Resolves when nothing is left. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** How many guests run at once, over all hooks. */
  workers?: number;
  /** Whether the bytes given to `load` are its own from then on, so that they need not be copied. */
  ownsBytes?: boolean;
  /** Not for users: the other way gives the same. */
  linking?: Linking;
  /** Where modules that were made ready to run are kept for other processes; nowhere, unless it is given. */
  cache?: ArtefactCache | undefined;
}

/** Runs guests in worker threads of this process. Nothing is started before it is needed. */
export class Sandbox implements GuestHost<SandboxModule> {
  readonly #loader: Loader | CachedLoader;
  readonly #guests: Pool<GuestCall, GuestReply>;
  readonly #modules = new LoadOnce<SandboxModule>();

  constructor({
    workers = defaultGuestWorkers(),
    ownsBytes = false,
    linking = "direct",
    cache,
  }: SandboxOptions = {}) {
    const loader = new Loader(linking, ownsBytes);
    // What is kept is linked directly.
    this.#loader = cache === undefined || linking !== "direct" ? loader : new CachedLoader(loader, cache);
    this.#guests = new Pool({
      turns: new Turns(workers),
      start: () =>
        new NodeWorker({ file: GUEST_WORKER, name: "wasmhook guest", heapBytes: GUEST_HEAP_BYTES }),
      // An instance that said why it failed did so by a normal return; after anything else we take no chances.
      reusable: ({ result }) => !("failure" in result) || result.failure.code === "guest-error",
    });
  }

  load(bytes: Uint8Array, sha256: string, limits: LoadLimits): Promise<SandboxModule> {
    const caps = { memoryPages: pagesIn(limits.memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
    const id = moduleId(sha256, limits);
    return this.#modules.get(id, async () => {
      return { id, guest: await this.#loader.prepare({ bytes, caps, limits: limits.module }, sha256) };
    });
  }

  async run({ id, guest }: SandboxModule, { signal, ...request }: RunRequest): Promise<SandboxRun> {
    const { deadlineMs } = request.limits;
    const tooLarge = eventOverLimit(request.event);
    if (tooLarge !== undefined) return tooLarge;
    const start = performance.now();
    const callFor = (known: boolean) => ({
      message: { ...request, id, guest: known ? undefined : guest },
      deadlineMs,
    });
    try {
      const { reply, durationMs } = await this.#guests.call(id, callFor, signal);
      const { result: sent } = reply;
      const result = "failure" in sent ? { failure: fromPortable(sent.failure) } : sent;
      return { ...reply, result, durationMs };
    } catch (failure) {
      if (!(failure instanceof WasmhookError)) throw failure;
      return { result: { failure }, logs: [], durationMs: performance.now() - start };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#loader.close(), this.#guests.close()]);
  }
}

const GUEST_WORKER = new URL("./guest-worker.js", import.meta.url);

/** Tells modules apart that differ in their bytes, in what is written into them, or in what they may have. */
export function moduleId(sha256: string, { memoryBytes, module }: LoadLimits): string {
  const changed = changedLimits(module);
  return `${sha256}/${pagesIn(memoryBytes)}${changed === "" ? "" : `/${changed}`}`;
}

/** What comes of an event that is larger than any may be; nothing of one that is not. */
export function eventOverLimit({ length: bytes }: string): SandboxRun | undefined {
  if (bytes <= EVENT_BYTES_LIMIT) return undefined;
  const message = `the event is over ${EVENT_BYTES_LIMIT} bytes: send less of what the tool gave`;
  const failure = new WasmhookError("event-too-large", message, { bytes, limitBytes: EVENT_BYTES_LIMIT });
  return { result: { failure }, logs: [], durationMs: 0 };
}
