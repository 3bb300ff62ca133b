import { aborted, closed } from "../cut-short.js";
import { WasmhookError } from "../errors.js";
import type { Callee } from "./callee.js";
import type { Turns } from "./turns.js";

/** So many idle workers that are still at work are kept beside the others. */
const SPARES = 1;

export interface PoolPlan<Call, Reply> {
  /** How many work at once; other pools may share them. */
  turns: Turns;
  start(): Callee<Call, Reply>;
  /** Whether a worker that gave this reply, and has had calls of so many keys, may serve another call. */
  reusable(reply: Reply, keys: number): boolean;
  /** Whether a call that failed so may have done so for what other calls left in the worker: a new one gets it. */
  mayBeOthers?(failure: WasmhookError): boolean;
  /** An idle worker is ended after this long; where it is not given it is kept. */
  idleMs?: number;
}

/** What is said to a worker, and how long it may take to answer. */
export interface PoolCall<Call> {
  message: Call;
  deadlineMs: number;
  transfer?: ArrayBuffer[];
}

export interface PoolReply<Reply> {
  reply: Reply;
  /** From the moment that a worker got the call. */
  durationMs: number;
}

interface Member<Call, Reply> {
  worker: Callee<Call, Reply>;
  /** The keys of the calls that it has had. */
  known: Set<string>;
  idleTimer: NodeJS.Timeout | undefined;
}

/** Workers that are started on demand, each with one call at a time, first come first served. */
export class Pool<Call, Reply> {
  readonly #plan: PoolPlan<Call, Reply>;
  readonly #members = new Set<Member<Call, Reply>>();
  readonly #idle: Member<Call, Reply>[] = [];
  readonly #refusals = new Set<(failure: WasmhookError) => void>();
  #closed = false;

  constructor(plan: PoolPlan<Call, Reply>) {
    this.#plan = plan;
  }

  /**
   * Has a worker answer a call. `callFor` makes it, given whether that worker has had a call of this `key`
   * before. The deadline counts from when the worker gets it, not the time in the queue.
   * @throws WasmhookError as `Callee.call` does.
   */
  async call(
    key: string,
    callFor: (known: boolean) => PoolCall<Call>,
    signal?: AbortSignal | undefined,
  ): Promise<PoolReply<Reply>> {
    await this.#turn(signal);
    try {
      return await this.#callOn(await this.#memberFor(key), key, callFor, signal);
    } finally {
      this.#plan.turns.give();
    }
  }

  /** Ends all workers and refuses all calls, those that wait included; resolves when no thread is left. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { idleTimer } of this.#idle.splice(0)) clearTimeout(idleTimer);
    for (const refuse of this.#refusals) refuse(closed());
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(aborted());
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#refusals.delete(refuse);
        signal?.removeEventListener("abort", abort);
      };
      const refuse = (failure: WasmhookError) => {
        settle();
        leave();
        reject(failure);
      };
      const abort = () => refuse(aborted());
      this.#refusals.add(refuse);
      signal?.addEventListener("abort", abort);
      const leave = this.#plan.turns.take(() => {
        settle();
        resolve();
      });
    });
  }

  async #callOn(
    member: Member<Call, Reply>,
    key: string,
    callFor: (known: boolean) => PoolCall<Call>,
    signal: AbortSignal | undefined,
  ): Promise<PoolReply<Reply>> {
    const hadOthers = [...member.known].some((other) => other !== key);
    try {
      await member.worker.ready;
      const start = performance.now();
      const { message, ...options } = callFor(member.known.has(key));
      member.known.add(key);
      const reply = await member.worker.call(message, { ...options, signal });
      const durationMs = performance.now() - start;
      if (this.#plan.reusable(reply, member.known.size)) this.#rest(member);
      else void this.#end(member);
      return { reply, durationMs };
    } catch (failure) {
      void this.#end(member);
      if (!(failure instanceof WasmhookError) || !hadOthers || !this.#plan.mayBeOthers?.(failure))
        throw failure;
      return await this.#callOn(this.#newMember(), key, callFor, signal);
    }
  }

  /** The idle worker that has had calls of this key, or else the one that was used last, unless it is at work yet. */
  async #memberFor(key: string): Promise<Member<Call, Reply>> {
    const index = this.#idle.findLastIndex(({ known }) => known.has(key));
    // From -1 on, `splice` takes the last one.
    const [member] = this.#idle.splice(index, 1);
    if (member === undefined) return this.#newMember();
    clearTimeout(member.idleTimer);
    if (member.worker.alive && (member.known.has(key) || (await member.worker.isQuiet()))) return member;
    if (member.worker.alive && this.#idle.length < SPARES) this.#rest(member);
    else void this.#end(member);
    return this.#newMember();
  }

  #newMember(): Member<Call, Reply> {
    if (this.#closed) throw closed();
    const member: Member<Call, Reply> = {
      worker: startWorker(this.#plan),
      known: new Set(),
      idleTimer: undefined,
    };
    this.#members.add(member);
    return member;
  }

  #rest(member: Member<Call, Reply>): void {
    this.#idle.push(member);
    if (this.#plan.idleMs === undefined) return;
    member.idleTimer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(member), 1);
      void this.#end(member);
    }, this.#plan.idleMs);
    member.idleTimer.unref();
  }

  async #end(member: Member<Call, Reply>): Promise<void> {
    await member.worker.end(closed());
    this.#members.delete(member);
  }
}

function startWorker<Call, Reply>(plan: PoolPlan<Call, Reply>): Callee<Call, Reply> {
  try {
    return plan.start();
  } catch (error) {
    if (error instanceof WasmhookError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    const message = `no worker can be started (${cause}): end other programs, or raise this system's limits`;
    throw new WasmhookError("worker-died", message, { cause });
  }
}
