import { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import type { LogLine } from "../hooks/outcome.js";
import { failureOf } from "./failure.js";
import type { GlueRealm } from "./glue.js";
import { gatedTextDecoder, type LiftGate } from "./lifted-text.js";
import { RunLog } from "./run-log.js";
import { Tank } from "./tank.js";
import { trap } from "./traps.js";

/** Fuel for any call to the host: a few times what one takes that is linked by us, and a third of what jco's glue takes. */
export const HOST_CALL_FUEL = 4000;

/** Fuel for each byte of text out of the guest, and each UTF-16 code unit of text into it. */
export const TEXT_FUEL = 2;

/** Calls to the host in one run, whatever the fuel: jco's glue keeps some memory for each until the run ends. */
export const HOST_CALLS_LIMIT = 100_000;

/** The most that the limits on output and log can be: what a worker's heap holds whatever it is. */
export const TEXT_BYTES_LIMIT = 64 * 1024 * 1024;

/** The host of one run: what the guest may import, what it costs, and what ended the run if that was us. */
export class Host implements LiftGate {
  readonly tank: Tank;
  readonly log: RunLog;
  /** Set once, by the first thing that the guest may not do; what the guest does after it is void. */
  failure: WasmhookError | undefined;
  /** Those on text are cut to what a worker can hold. */
  readonly limits: Limits;
  readonly #config: string;
  #calls = 0;
  #callDepth = 0;

  constructor(limits: Limits, config: string) {
    this.limits = {
      ...limits,
      outputBytes: Math.min(limits.outputBytes, TEXT_BYTES_LIMIT),
      logsBytes: Math.min(limits.logsBytes, TEXT_BYTES_LIMIT),
    };
    this.#config = config;
    this.tank = new Tank(limits.fuel, limits.memoryBytes);
    this.log = new RunLog(this.limits.logsBytes);
  }

  /** Is told of each instance of a core module before anybody calls it: for a profile. */
  instantiated(_instance: WebAssembly.Instance): void {}

  /** What a guest of the `hook` world imports. */
  imports(): Record<string, Record<string, unknown>> {
    return {
      "wasmhook:hook/host": {
        log: (level: LogLine["level"], message: string) => this.log.add({ level, message }),
        config: () => this.config(),
      },
    };
  }

  /** The text of the hook's `config:` block, paid for. */
  config(): string {
    this.tank.charge(this.#config.length * TEXT_FUEL);
    return this.#config;
  }

  /** The globals of the glue that are not the language's own. */
  realm(): GlueRealm {
    return { TextDecoder: gatedTextDecoder(this), TextEncoder };
  }

  /**
   * Makes a function safe to import: every call costs fuel and is counted, and whatever goes
   * wrong in it, an exception included, is recorded and ends the guest by a trap.
   */
  guard<Args extends unknown[]>(hostFunction: (...args: Args) => unknown): (...args: Args) => unknown {
    return (...args) => {
      this.#calls++;
      this.#callDepth++;
      try {
        this.tank.charge(HOST_CALL_FUEL);
        if (this.#calls > HOST_CALLS_LIMIT) this.fail(tooManyCalls());
        if (this.#mayGoOn()) {
          const result = hostFunction(...args);
          if (this.#mayGoOn()) return result;
        }
      } catch (error) {
        this.failure ??= failureOf(error, this.tank, this.limits);
      } finally {
        this.#callDepth--;
      }
      return trap();
    };
  }

  /** Takes fuel for what comes next, which does not come where there is too little. @throws */
  pay(units: number): void {
    this.tank.charge(units);
    if (this.tank.exhausted) throw new Error("out of fuel");
  }

  /** Ends the guest with this call, in good order: it cannot catch that, and nothing of it runs any more. */
  end(): void {
    this.tank.seal();
  }

  admit(bytes: number, wide: boolean): number {
    this.pay(bytes * TEXT_FUEL);
    if (this.#callDepth > 0) return this.log.admit(bytes);
    // UTF-16 takes at most twice the bytes of UTF-8, so no text is refused here that is within its limit.
    const outputBytes = wide ? bytes / 2 : bytes;
    if (outputBytes > this.limits.outputBytes) return this.fail(outputTooLarge(outputBytes, this.limits));
    return bytes;
  }

  refuse(): never {
    return this.fail(
      new WasmhookError("bad-output", "the hook gave text that is not valid Unicode: encode it as UTF-8", {}),
    );
  }

  fail(failure: WasmhookError): never {
    this.failure ??= failure;
    throw failure;
  }

  #mayGoOn(): boolean {
    return this.failure === undefined && !this.tank.isEmpty && !this.tank.stackExhausted;
  }
}

export function outputTooLarge(outputBytes: number, limits: Limits): WasmhookError<"output-too-large"> {
  const message = `the hook answered ${outputBytes} bytes, over its "output" limit of ${limits.outputBytes}: answer less, or raise the limit`;
  return new WasmhookError("output-too-large", message, { outputBytes });
}

function tooManyCalls(): WasmhookError<"trap"> {
  const message = `the hook called the host more than ${HOST_CALLS_LIMIT} times in one run: log less, and read the config once`;
  return new WasmhookError("trap", message, { trap: "too many host calls" });
}
