import { aborted } from "../cut-short.js";
import { WasmhookError } from "../errors.js";

/** How long one may take to start, on the busiest of machines. */
const START_DEADLINE_MS = 30_000;

/** How long is waited for one to end: an engine may be deaf in the middle of a compilation. */
const END_WAIT_MS = 10_000;

export interface CallOptions {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

type Settle<Reply> = (outcome: { reply: Reply } | { failure: WasmhookError }) => void;

/**
 * A thread or a process that answers one call at a time. Whatever becomes of a call but an answer ends it: it
 * may be stuck or damaged.
 */
export abstract class Callee<Call, Reply> {
  /** Its first message says that it can be called. */
  readonly ready: Promise<unknown>;
  #settle: Settle<Reply> | undefined;
  #ended: Promise<void> | undefined;

  constructor() {
    this.ready = this.#reply({ deadlineMs: START_DEADLINE_MS });
  }

  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** @throws WasmhookError `deadline`, `aborted`, `closed`, or what it died of. */
  async call(message: Call, options: CallOptions): Promise<Reply> {
    this.hold();
    const reply = this.#reply(options);
    this.post(message);
    return await reply;
  }

  /** Ends it, and with it the call that is under way. Resolves when it is gone, or after ten seconds. */
  end(failure: WasmhookError): Promise<void> {
    this.#settle?.({ failure });
    // After the call has let go of it, so that this process lives until it is gone.
    this.#ended ??= this.#terminate();
    return this.#ended;
  }

  protected abstract post(message: Call): void;
  /** Ends it by force. Resolves when it is gone. */
  protected abstract terminate(): Promise<unknown>;
  /** From here on it keeps this process alive. */
  protected abstract hold(): void;
  /** The opposite: what is idle does not. */
  protected abstract release(): void;

  /** To be called with each of its messages. */
  protected answered(reply: Reply): void {
    this.#settle?.({ reply });
  }

  async #terminate(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, END_WAIT_MS);
    });
    await Promise.race([this.terminate(), waited]);
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
        this.release();
        if ("reply" in outcome) resolve(outcome.reply);
        else reject(outcome.failure);
      };
      signal?.addEventListener("abort", abort);
      if (signal?.aborted) abort();
    });
  }
}

export function overrun(deadlineMs: number): WasmhookError<"deadline"> {
  const message = `the hook was not done after ${deadlineMs} ms, its "deadline" limit: do less, or raise the limit`;
  return new WasmhookError("deadline", message, { deadlineMs });
}
