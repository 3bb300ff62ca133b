import { SystemError } from "./system-error.js";

/** The memory that a command exports, as it is now: growth replaces its buffer. */
export class GuestMemory {
  #memory: WebAssembly.Memory | undefined;

  /** Until then it has no bytes: what a start function passes on is not yet to be seen. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** @throws SystemError `fault` where any of it is outside of the memory */
  view(address: number, bytes: number): DataView {
    return new DataView(this.#bufferAt(address, bytes), address, bytes);
  }

  /** The same as bytes. */
  bytes(address: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#bufferAt(address, bytes), address, bytes);
  }

  #bufferAt(address: number, bytes: number): ArrayBuffer {
    const buffer = this.#memory?.buffer;
    if (buffer === undefined || address + bytes > buffer.byteLength) throw SystemError.of("fault");
    return buffer;
  }
}
