import { createHash } from "node:crypto";

const CHECKSUM_BYTES = 32;

/** What stands before bytes that are kept under a name: a checksum of both. */
export function seal(name: string, parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha256").update(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The bytes that were sealed under this name; undefined where any of it has changed. */
export function unseal(name: string, sealed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const bytes = sealed.subarray(CHECKSUM_BYTES);
  const isWhole = Buffer.compare(seal(name, [bytes]), sealed.subarray(0, CHECKSUM_BYTES)) === 0;
  return isWhole ? bytes : undefined;
}
