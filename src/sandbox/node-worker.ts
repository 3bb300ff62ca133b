import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { WasmhookError } from "../errors.js";
import { Callee } from "./callee.js";

const MIB = 1024 * 1024;

/**
 * The native stack of a worker, so that the meter's cap on nested calls (2 MiB as it weighs frames) is what
 * ends a recursion, on every engine alike, and never the engine's own limit.
 */
export const WORKER_STACK_MIB = 16;

/** Of its heap: what an engine takes by itself is several times that, and mostly garbage. */
const YOUNG_MIB = 4;

export interface WorkerPlan {
  file: URL;
  /** For messages and for tools that list threads. */
  name: string;
  /** The cap on its JavaScript heap; linear memory is not on it. */
  heapBytes: number;
}

/**
 * A worker thread, which gets no environment, arguments or standard streams. Calls may fail as `out-of-memory`
 * (its heap) or `worker-died` too.
 */
export class NodeWorker<Call, Reply> extends Callee<Call, Reply> {
  readonly #plan: WorkerPlan;
  readonly #worker: Worker;

  constructor(plan: WorkerPlan) {
    super();
    this.#plan = plan;
    this.#worker = new Worker(plan.file, {
      name: plan.name,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: plan.heapBytes / MIB,
        maxYoungGenerationSizeMb: YOUNG_MIB,
        stackSizeMb: WORKER_STACK_MIB,
      },
    });
    // What is captured comes out nowhere, and a stream that still could be read would keep the process alive.
    this.#worker.stdout.destroy();
    this.#worker.stderr.destroy();
    this.#worker.on("message", (reply: unknown) => this.answered(reply));
    this.#worker.on("error", (error: unknown) => void this.end(this.#death(error)));
    this.#worker.on("messageerror", (error: unknown) => void this.end(this.#death(error)));
    this.#worker.on("exit", (code) => void this.end(this.#death(`exit code ${code}`)));
  }

  protected post(message: Call, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  protected async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  protected hold(): void {
    this.#worker.ref();
  }

  protected release(): void {
    this.#worker.unref();
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
