const TICK_MS = 20;
/** Below this share of a processor nothing of a guest is at work any more, its compilation included. */
const QUIET_SHARE = 0.1;

/**
 * Looks at the memory that this process holds, while something is at work in it: a guest, or the engine's
 * compilers, which go on behind an answer and may take gigabytes.
 */
export class MemoryWatch {
  readonly #ownBytes = process.memoryUsage.rss();
  readonly #onExcess: (heldBytes: number, limitBytes: number) => void;
  #limitBytes = 0;
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param onExcess called when it holds too much, again and again until the process has ended */
  constructor(onExcess: (heldBytes: number, limitBytes: number) => void) {
    this.#onExcess = onExcess;
  }

  /** Something begins that may take this much beyond what the process held at its start. */
  begin(extraBytes: number): void {
    this.#limitBytes = this.#ownBytes + extraBytes;
    this.#isBusy = true;
    this.#timer ??= this.#start();
  }

  /** It was answered; the watch ends by itself when the process is quiet. */
  end(): void {
    this.#isBusy = false;
  }

  #start(): NodeJS.Timeout {
    let before = { time: performance.now(), cpu: process.cpuUsage() };
    return setInterval(() => {
      const heldBytes = process.memoryUsage.rss();
      if (heldBytes > this.#limitBytes) this.#onExcess(heldBytes, this.#limitBytes);
      const now = { time: performance.now(), cpu: process.cpuUsage() };
      const cpuMs = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000;
      if (!this.#isBusy && cpuMs < QUIET_SHARE * (now.time - before.time)) this.#stop();
      before = now;
    }, TICK_MS);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
