import { WasmhookError } from "../errors.js";
import type { LoadCall, LoadReply, PreparedComponent } from "./guest-messages.js";
import { NodeWorker } from "./node-worker.js";
import { Pool } from "./pool.js";
import { fromPortable } from "./portable-error.js";

/**
 * How the core modules of a component are put together: by a plan of our own, or by JavaScript that the
 * transpiler generates.
 */
export type Linking = "direct" | "transpiled";

/** How long it may take to make one component ready. */
const LOAD_DEADLINE_MS = 30_000;
/** What loads holds much memory, and is needed at the start only. */
const IDLE_MS = 2_000;
const HEAP_BYTES = 512 * 1024 * 1024;
const WORKERS: Readonly<Record<Linking, URL>> = {
  direct: new URL("./link-worker.js", import.meta.url),
  transpiled: new URL("./transpile-worker.js", import.meta.url),
};

/**
 * Turns components into what can run, in a worker that is thrown away after any failure: one bad input can
 * leave the transpiler unable to take another.
 */
export class Loader {
  readonly #pool: Pool<LoadCall, LoadReply>;

  constructor(linking: Linking) {
    const worker = { file: WORKERS[linking], name: "wasmhook loader", heapBytes: HEAP_BYTES };
    this.#pool = new Pool({
      size: 1,
      start: () => new NodeWorker(worker),
      reusable: (reply) => "component" in reply,
      idleMs: IDLE_MS,
    });
  }

  /** @throws WasmhookError that says why the component is refused; `transpile-failed` where the worker died of it. */
  async prepare(call: LoadCall): Promise<PreparedComponent> {
    const { reply } = await this.#call(call);
    if ("failure" in reply) throw fromPortable(reply.failure);
    return reply.component;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #call(call: LoadCall): Promise<{ reply: LoadReply }> {
    try {
      return await this.#pool.call("", () => call, { deadlineMs: LOAD_DEADLINE_MS });
    } catch (failure) {
      if (!(failure instanceof WasmhookError) || failure.code === "closed") throw failure;
      const cause = failure.code === "deadline" ? `not done after ${LOAD_DEADLINE_MS} ms` : failure.message;
      const message = `the component cannot be prepared (${cause}): build a smaller or simpler one`;
      throw new WasmhookError("transpile-failed", message, { cause });
    }
  }
}
