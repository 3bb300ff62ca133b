import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { aborted } from "../cut-short.js";
import { WasmhookError } from "../errors.js";

const MIB = 1024 * 1024;

/**
 * The native stack of a worker, so that the meter's cap on nested calls (2 MiB as it weighs frames) is what
 * ends a recursion, on every engine alike, and never the engine's own limit.
 */
export const WORKER_STACK_MIB = 16;

/** How long a worker may take to start, on the busiest of machines. */
const START_DEADLINE_MS = 30_000;

/** How long is waited for a thread to end: an engine may be deaf in the middle of a compilation. */
const END_WAIT_MS = 10_000;

export interface WorkerPlan {
  file: URL;
  /** For messages and for tools that list threads. */
  name: string;
  /** The cap on its JavaScript heap; linear memory is not on it. */
  heapBytes: number;
}

export interface CallOptions {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

type Settle<Reply> = (outcome: { reply: Reply } | { failure: WasmhookError }) => void;

/**
 * A worker thread that answers one call at a time. It gets no environment, arguments or standard streams.
 * Whatever becomes of a call but an answer ends the worker: it may be stuck or damaged.
 */
export class NodeWorker<Call, Reply> {
  /** The worker's first message says that it can be called. */
  readonly ready: Promise<unknown>;
  readonly #plan: WorkerPlan;
  readonly #worker: Worker;
  #settle: Settle<Reply> | undefined;
  #ended: Promise<void> | undefined;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    this.#worker = new Worker(plan.file, {
      name: plan.name,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      // Captured and never read, which would keep the process alive: what is printed is held back there.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: plan.heapBytes / MIB, stackSizeMb: WORKER_STACK_MIB },
    });
    this.#worker.on("message", (reply: Reply) => this.#settle?.({ reply }));
    this.#worker.on("error", (error: unknown) => void this.end(this.#death(error)));
    this.#worker.on("messageerror", (error: unknown) => void this.end(this.#death(error)));
    this.#worker.on("exit", (code) => void this.end(this.#death(`exit code ${code}`)));
    this.ready = this.#reply({ deadlineMs: START_DEADLINE_MS });
  }

  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** @throws WasmhookError `deadline`, `aborted`, `closed`, `out-of-memory` (its heap) or `worker-died`. */
  async call(message: Call, options: CallOptions): Promise<Reply> {
    this.#worker.ref();
    const reply = this.#reply(options);
    this.#worker.postMessage(message);
    return await reply;
  }

  /**
   * Ends the thread, and with it the call that is under way. Resolves when the thread is gone, or after ten
   * seconds where the engine cannot end it.
   */
  end(failure: WasmhookError): Promise<void> {
    this.#settle?.({ failure });
    // After the call has let go of the worker, so that the process lives until the thread is gone.
    this.#ended ??= this.#terminate();
    return this.#ended;
  }

  async #terminate(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, END_WAIT_MS);
    });
    await Promise.race([this.#worker.terminate(), waited]);
    clearTimeout(timer);
  }

  #reply({ deadlineMs, signal }: CallOptions): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const abort = () => void this.end(aborted());
      const timer = setTimeout(() => void this.end(overrun(deadlineMs)), deadlineMs);
      this.#settle = (outcome) => {
        this.#settle = undefined;
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        // An idle worker does not keep the process alive.
        this.#worker.unref();
        if ("reply" in outcome) resolve(outcome.reply);
        else reject(outcome.failure);
      };
      signal?.addEventListener("abort", abort);
      if (signal?.aborted) abort();
    });
  }

  #death(error: unknown): WasmhookError {
    const { heapBytes, name } = this.#plan;
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      const message = `the ${name} used up its heap of ${heapBytes} bytes: give it smaller texts`;
      return new WasmhookError("out-of-memory", message, { memoryBytes: heapBytes });
    }
    const cause = error instanceof Error ? error.message : String(error);
    const message = cause.includes("uv_cwd")
      ? `the ${name} cannot start where the current directory is gone: change to one that is there`
      : `the ${name} died (${cause}): the next event gets a new one`;
    return new WasmhookError("worker-died", message, { cause });
  }
}

/** How many guests may run at once where nobody says otherwise: one core is left to the agent. */
export function defaultGuestWorkers(): number {
  return Math.min(4, Math.max(1, availableParallelism() - 1));
}

function overrun(deadlineMs: number): WasmhookError<"deadline"> {
  const message = `the hook was not done after ${deadlineMs} ms, its "deadline" limit: do less, or raise the limit`;
  return new WasmhookError("deadline", message, { deadlineMs });
}
