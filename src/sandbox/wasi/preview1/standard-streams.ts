import { WasmhookError } from "../../../errors.js";
import { STDERR_LIMIT_BYTES } from "../../../hooks/program-output.js";
import { Capture } from "../../capture.js";
import { type Host, TEXT_FUEL } from "../../host.js";
import type { Buffers } from "./iovecs.js";

/** What a pipe takes before anybody reads it, on Linux. */
const PIPE_BYTES = 65_536;

/** A stream that a command reads or writes. Each byte is paid for before it is copied. */
export interface Stream {
  /** How many bytes it could read or write at once. */
  readonly ready: number;
  /** Reads into buffers, or writes what is in them. @returns how many bytes */
  transfer(buffers: Buffers): number;
}

/** The event. */
export class Stdin implements Stream {
  readonly #bytes: Uint8Array;
  readonly #host: Host;
  #position = 0;

  constructor(bytes: Uint8Array, host: Host) {
    this.#bytes = bytes;
    this.#host = host;
  }

  get ready(): number {
    return this.#bytes.length - this.#position;
  }

  transfer({ list, byteLength }: Buffers): number {
    const count = Math.min(byteLength, this.ready);
    this.#host.pay(count * TEXT_FUEL);
    for (const buffer of list) {
      const chunk = this.#bytes.subarray(this.#position, this.#position + buffer.length);
      buffer.set(chunk);
      this.#position += chunk.length;
    }
    return count;
  }
}

/** The decision. More than the limit on output ends the guest. */
export class Stdout implements Stream {
  readonly ready = PIPE_BYTES;
  readonly #host: Host;
  readonly #capture: Capture;

  constructor(host: Host) {
    this.#host = host;
    this.#capture = new Capture(host.limits.outputBytes);
  }

  transfer({ list, byteLength }: Buffers): number {
    this.#host.pay(byteLength * TEXT_FUEL);
    const outputBytes = this.#capture.bytes.length + byteLength;
    if (outputBytes > this.#host.limits.outputBytes) this.#host.fail(outputTooLarge(outputBytes, this.#host));
    for (const buffer of list) this.#capture.add(buffer);
    return byteLength;
  }

  /** @throws WasmhookError `bad-output` where it is to be UTF-8 and is not */
  text(strict: boolean): string {
    const text = strict ? this.#capture.strictText() : this.#capture.text();
    return text ?? this.#host.fail(notUtf8());
  }
}

/** Lines of the run's log. What is over the log's limits is dropped. */
export class Stderr implements Stream {
  readonly ready = PIPE_BYTES;
  readonly #host: Host;
  readonly #log: Capture;
  readonly #head = new Capture(STDERR_LIMIT_BYTES);

  constructor(host: Host) {
    this.#host = host;
    this.#log = new Capture(host.limits.logsBytes);
  }

  transfer({ list, byteLength }: Buffers): number {
    this.#host.pay(byteLength * TEXT_FUEL);
    this.#host.log.admit(byteLength);
    for (const buffer of list) {
      this.#log.add(buffer);
      this.#head.add(buffer);
    }
    return byteLength;
  }

  /** As far as a dialect reads it. */
  text(): string {
    return this.#head.text();
  }

  /** To be called when the guest has ended. */
  writeLog(): void {
    this.#host.log.addText(this.#log.text(), "info");
  }
}

function outputTooLarge(outputBytes: number, { limits }: Host): WasmhookError<"output-too-large"> {
  const message = `the module wrote ${outputBytes} bytes to stdout, over its "output" limit of ${limits.outputBytes}: print the decision only, or raise the limit`;
  return new WasmhookError("output-too-large", message, { outputBytes });
}

function notUtf8(): WasmhookError<"bad-output"> {
  const message = "the module's stdout is not UTF-8: print the decision as UTF-8 text";
  return new WasmhookError("bad-output", message, {});
}
