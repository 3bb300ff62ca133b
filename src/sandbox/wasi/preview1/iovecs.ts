import type { Host } from "../../host.js";
import type { GuestMemory } from "./guest-memory.js";
import { SystemError } from "./system-error.js";

/** So many buffers at once. Source: what Linux takes, `UIO_MAXIOV`. */
const IOVECS_LIMIT = 1024;
const IOVEC_BYTES = 8;
/** For each buffer, beside its bytes. */
export const IOVEC_FUEL = 200;
const MAX_SIZE = 2 ** 32 - 1;

/** Buffers of the guest that are read or filled one after the other. */
export interface Buffers {
  readonly list: readonly Uint8Array[];
  /** Of all of them; what overlaps counts each time. */
  readonly byteLength: number;
}

/** Reads a list of buffers, paid for. @throws SystemError `inval` for too many, `fault` for one outside of the memory */
export function readIovecs(address: number, count: number, memory: GuestMemory, host: Host): Buffers {
  if (count > IOVECS_LIMIT) throw SystemError.of("inval");
  host.pay(count * IOVEC_FUEL);
  const iovecs = memory.view(address, count * IOVEC_BYTES);
  const list: Uint8Array[] = [];
  let byteLength = 0;
  for (let at = 0; at < iovecs.byteLength; at += IOVEC_BYTES) {
    const buffer = memory.bytes(iovecs.getUint32(at, true), iovecs.getUint32(at + 4, true));
    list.push(buffer);
    byteLength += buffer.length;
  }
  // How many bytes were read or written is told in 32 bits.
  if (byteLength > MAX_SIZE) throw SystemError.of("inval");
  return { list, byteLength };
}
