import { aborted } from "../cut-short.js";
import { WasmhookError } from "../errors.js";

/** How long one may take to start, on the busiest of machines. */
const START_DEADLINE_MS = 30_000;

/** How long is waited for one to end: an engine may be deaf in the middle of a compilation. */
const END_WAIT_MS = 10_000;

export interface CallOptions {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
  /** What of the message moves to a thread, instead of being copied. */
  transfer?: ArrayBuffer[] | undefined;
}

type Settle = (outcome: { reply: unknown } | { failure: WasmhookError }) => void;

/**
 * A thread or a process that answers one call at a time. Whatever becomes of a call but an answer ends it: it
 * may be stuck or damaged.
 */
export abstract class Callee<Call, Reply> {
  /** Its first message says that it can be called. */
  readonly ready: Promise<unknown>;
  #settle: Settle | undefined;
  #ended: Promise<void> | undefined;

  constructor() {
    this.ready = this.#reply({ deadlineMs: START_DEADLINE_MS }, notStarted);
  }

  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** @throws WasmhookError `deadline`, `aborted`, `closed`, or what it died of. */
  async call(message: Call, options: CallOptions): Promise<Reply> {
    this.hold();
    const reply = this.#reply(options, overrun);
    this.post(message, options.transfer);
    // Whatever answers is our own code.
    return (await reply) as Reply;
  }

  /** Ends it, and with it the call that is under way. Resolves when it is gone, or after ten seconds. */
  end(failure: WasmhookError): Promise<void> {
    this.#settle?.({ failure });
    // After the call has let go of it, so that this process lives until it is gone.
    this.#ended ??= this.#terminate();
    return this.#ended;
  }

  /** Whether what it did last has left nothing that would keep another call waiting. */
  isQuiet(): Promise<boolean> {
    return Promise.resolve(true);
  }

  protected abstract post(message: Call, transfer: ArrayBuffer[] | undefined): void;
  /** Whether a call is under way. */
  protected get isCalled(): boolean {
    return this.#settle !== undefined;
  }

  /** Ends it by force. Resolves when it is gone. */
  protected abstract terminate(): Promise<unknown>;
  /** From here on it keeps this process alive. */
  protected abstract hold(): void;
  /** The opposite: what is idle does not. */
  protected abstract release(): void;

  /** To be called with its first message, and with each reply. */
  protected answered(reply: unknown): void {
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

  #reply({ deadlineMs, signal }: CallOptions, late: (deadlineMs: number) => WasmhookError): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const abort = () => void this.end(aborted());
      const timer = setTimeout(() => void this.end(late(deadlineMs)), deadlineMs);
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

function notStarted(deadlineMs: number): WasmhookError<"worker-died"> {
  const cause = `not started after ${deadlineMs} ms`;
  const message = `what runs guests had ${cause}: run the event again when the machine is less busy`;
  return new WasmhookError("worker-died", message, { cause });
}

export function overrun(deadlineMs: number): WasmhookError<"deadline"> {
  const message = `the hook was not done after ${deadlineMs} ms, its "deadline" limit: do less, or raise the limit`;
  return new WasmhookError("deadline", message, { deadlineMs });
}
