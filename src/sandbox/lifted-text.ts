// One decoder for all runs is safe: without `stream` a decoder keeps nothing between calls.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const UTF16 = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });

/** Sees every string that the glue is about to read out of a guest's memory. */
export interface LiftGate {
  /** How many of the bytes (of UTF-16 where `wide`, or else of UTF-8) may be read; throws where the run is over. */
  admit(bytes: number, wide: boolean): number;
  /** The bytes are no text in their encoding; throws. */
  refuse(): never;
}

/**
 * The `TextDecoder` that the glue of one run gets. Unlike the engine's, as glue uses it, this one decodes
 * strictly (the Canonical ABI has a trap for invalid text, where the glue would put U+FFFD), keeps a byte
 * order mark, and asks before it makes a string.
 */
export function gatedTextDecoder(gate: LiftGate): unknown {
  return class {
    readonly #wide: boolean;

    constructor(encoding = "utf-8") {
      this.#wide = encoding !== "utf-8";
    }

    decode(view: ArrayBufferView): string {
      return liftText(view, this.#wide, gate);
    }
  };
}

/** The text in these bytes, of UTF-16 where `wide` and otherwise of UTF-8, as far as the gate admits it. */
export function liftText(
  { buffer, byteOffset, byteLength }: ArrayBufferView,
  wide: boolean,
  gate: LiftGate,
): string {
  const admitted = gate.admit(byteLength, wide);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const whole = wholeCharacters(bytes, Math.min(admitted, byteLength), wide);
  try {
    return (wide ? UTF16 : UTF8).decode(bytes.subarray(0, whole));
  } catch {
    return gate.refuse();
  }
}

/** The longest prefix of at most `length` bytes that cuts no character. */
function wholeCharacters(bytes: Uint8Array, length: number, wide: boolean): number {
  if (length >= bytes.length) return bytes.length;
  if (wide) {
    const even = length - (length % 2);
    const startsLowSurrogate = ((bytes[even + 1] ?? 0) & 0xfc) === 0xdc;
    return startsLowSurrogate ? Math.max(0, even - 2) : even;
  }
  let end = length;
  // At most three: what has more continuation bytes is invalid, and is left to the decoder.
  while (end > 0 && length - end < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
