import { badValue } from "../failure.js";
import { type LiftGate, liftText } from "../lifted-text.js";
import type { TextOptions } from "./plan.js";

/** `MAX_STRING_BYTE_LENGTH` of the Canonical ABI. */
const MAX_TEXT_BYTES = 2 ** 28 - 1;

const UTF8 = new TextEncoder();

/** Text in a guest's memory: where it starts, and how many code units it has. */
export interface TextRange {
  readonly address: number;
  readonly length: number;
}

/** Calls the guest's `cabi_realloc` for new memory. */
export type Allocate = (alignment: number, bytes: number) => number;

/**
 * Text as one function of the guest passes it, in its encoding and in its memory. The host's texts are
 * taken to be in the guest's encoding already, so that each takes one allocation of its exact size.
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#loading
 * https://github.com/WebAssembly/component-model/blob/main/design/mvp/CanonicalABI.md#storing
 */
export class GuestText {
  readonly #memory: WebAssembly.Memory;
  /** Bytes of a code unit, which is also its alignment. */
  readonly #unit: 1 | 2;
  readonly #allocate: Allocate;

  constructor(memory: WebAssembly.Memory, encoding: TextOptions["encoding"], allocate: Allocate) {
    this.#memory = memory;
    this.#unit = encoding === "utf8" ? 1 : 2;
    this.#allocate = allocate;
  }

  /** Copies a text into the guest. @throws what its allocator throws; WasmhookError for a wrong address */
  lower(text: string): TextRange {
    const bytes = this.#unit === 1 ? UTF8.encode(text) : utf16(text);
    const address = this.#allocate(this.#unit, bytes.length);
    const { buffer, byteOffset } = this.at(address, bytes.length, this.#unit);
    new Uint8Array(buffer, byteOffset, bytes.length).set(bytes);
    return { address, length: bytes.length / this.#unit };
  }

  /** Copies a text out of the guest, as far as the gate admits it. @throws WasmhookError */
  lift({ address, length }: TextRange, gate: LiftGate): string {
    const bytes = length * this.#unit;
    const text = liftText(this.at(address, bytes, this.#unit), this.#unit === 2, gate);
    if (bytes > MAX_TEXT_BYTES) throw badValue();
    return text;
  }

  /** A part of the memory as it is now. @throws WasmhookError where it is outside, or not aligned */
  at(address: number, bytes: number, alignment: number): DataView {
    const { buffer } = this.#memory;
    if (address % alignment !== 0 || address + bytes > buffer.byteLength) throw badValue();
    return new DataView(buffer, address, bytes);
  }
}

/** Half of a surrogate pair becomes U+FFFD, as it does in UTF-8. */
function utf16(text: string): Uint8Array {
  const whole = text.toWellFormed();
  const bytes = new DataView(new ArrayBuffer(whole.length * 2));
  for (let i = 0; i < whole.length; i++) bytes.setUint16(i * 2, whole.charCodeAt(i), true);
  return new Uint8Array(bytes.buffer);
}
