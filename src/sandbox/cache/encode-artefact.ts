import type { Artefact } from "../artefact.js";
import type { Minimum } from "../tank.js";

/** What stands before the bytes of the core modules, as JSON. */
interface Head {
  plan: Artefact["plan"];
  cores: { bytes: number; minimum: Minimum }[];
}

const LENGTH_BYTES = 4;

/**
 * An artefact as bytes, in parts to be put one after another: the length of its head, the head, and the core modules
 * as they are, which may be large.
 */
export function encodeArtefact({ plan, cores }: Artefact): Uint8Array<ArrayBuffer>[] {
  const sizes = cores.map(({ bytes, minimum }) => ({ bytes: bytes.length, minimum }));
  const head = new TextEncoder().encode(JSON.stringify({ plan, cores: sizes } satisfies Head));
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, head.length, true);
  return [length, head, ...cores.map(({ bytes }) => bytes)];
}

/** @param encoded exactly the parts that `encodeArtefact` gave: whether it is, is for the caller to have checked */
export function decodeArtefact(encoded: Uint8Array<ArrayBuffer>): Artefact {
  const { buffer, byteOffset, length } = encoded;
  let offset = LENGTH_BYTES + new DataView(buffer, byteOffset, length).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(encoded.subarray(LENGTH_BYTES, offset))) as Head;
  const cores = head.cores.map(({ bytes, minimum }) => {
    offset += bytes;
    return { bytes: encoded.subarray(offset - bytes, offset), minimum };
  });
  return { plan: head.plan, cores };
}
