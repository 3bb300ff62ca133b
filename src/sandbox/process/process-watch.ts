const TICK_MS = 20;
const TICK_BEHIND_MS = 5;
/** Below this share of a processor, so many times in a row, nothing is at work any more. */
const QUIET_SHARE = 0.1;
const QUIET_TICKS = 3;
/** Of a processor's time, behind an answer: more than the engine takes to optimise what hooks are. */
const LADEN_MS = 500;

export interface ProcessWatchPlan {
  /** Called when it holds too much, again and again until the process has ended. */
  onExcess(heldBytes: number, limitBytes: number): void;
  /** Called when nothing goes on any more behind an answer. */
  onQuiet(): void;
  /** Called when it is still at work long after an answer. */
  onLaden(): void;
}

/**
 * Looks at what this process takes, while something is at work in it: a guest, or the engine's compilers, which
 * go on behind an answer, may take gigabytes, and keep the next module waiting.
 */
export class ProcessWatch {
  readonly #ownBytes = process.memoryUsage.rss();
  readonly #plan: ProcessWatchPlan;
  #limitBytes = 0;
  #isBusy = false;
  #behindMs = 0;
  #quietTicks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(plan: ProcessWatchPlan) {
    this.#plan = plan;
  }

  /** Something begins that may take this much beyond what the process held at its start. */
  begin(extraBytes: number): void {
    this.#limitBytes = this.#ownBytes + extraBytes;
    this.#isBusy = true;
    this.#start(TICK_MS);
  }

  /** It was answered; the watch ends by itself when the process is quiet. */
  end(): void {
    this.#isBusy = false;
    this.#behindMs = 0;
    this.#quietTicks = 0;
    this.#start(TICK_BEHIND_MS);
  }

  #start(tickMs: number): void {
    clearInterval(this.#timer);
    let before = { time: performance.now(), cpu: process.cpuUsage() };
    this.#timer = setInterval(() => {
      const heldBytes = process.memoryUsage.rss();
      if (heldBytes > this.#limitBytes) this.#plan.onExcess(heldBytes, this.#limitBytes);
      const now = { time: performance.now(), cpu: process.cpuUsage() };
      const cpuMs = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000;
      if (!this.#isBusy) this.#lookBehind(cpuMs, now.time - before.time);
      before = now;
    }, tickMs);
  }

  #lookBehind(cpuMs: number, passedMs: number): void {
    this.#behindMs += cpuMs;
    this.#quietTicks = cpuMs < QUIET_SHARE * passedMs ? this.#quietTicks + 1 : 0;
    if (this.#quietTicks === QUIET_TICKS) {
      clearInterval(this.#timer);
      this.#plan.onQuiet();
    } else if (this.#behindMs > LADEN_MS) this.#plan.onLaden();
  }
}
