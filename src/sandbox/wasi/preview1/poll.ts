import type { System } from "./system.js";
import { Errno, SystemError } from "./system-error.js";

/** So many subscriptions at once. Source: the files that a process may have open on Linux, where nobody says otherwise. */
const SUBSCRIPTIONS_LIMIT = 1024;
const SUBSCRIPTION_FUEL = 1000;
const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;

const EventTypes = { clock: 0, fdRead: 1, fdWrite: 2 } as const;
const ABSOLUTE = 1;
const HANGUP = 1;

interface Occurrence {
  userdata: bigint;
  type: number;
  errno: number;
  /** How long it is still to come, in nanoseconds. */
  waitNs: bigint;
  /** Of a stream: how many bytes it has, or takes. */
  ready?: number;
}

/**
 * Tells which of the subscriptions have occurred, and never waits: streams are always ready, and where there are
 * only clocks, the guest's own is put forward to the first time that it asked for.
 *
 * @returns how many events were written
 * @throws SystemError `inval` for none, too many or an unknown kind; `fault`
 */
export function poll(system: System, subscriptions: number, events: number, count: number): number {
  const { host, memory, clock } = system;
  if (count === 0 || count > SUBSCRIPTIONS_LIMIT) throw SystemError.of("inval");
  host.pay(count * SUBSCRIPTION_FUEL);
  const asked = memory.view(subscriptions, count * SUBSCRIPTION_BYTES);
  const told = memory.view(events, count * EVENT_BYTES);
  const coming = Array.from({ length: count }, (_, i) => occurrence(system, asked, i * SUBSCRIPTION_BYTES));
  const waits = coming.map((one) => one.waitNs);
  const waitNs = waits.reduce(least);
  clock.sleep(waitNs);
  const occurred = coming.filter((one) => one.waitNs <= waitNs);
  for (const [i, one] of occurred.entries()) write(one, told, i * EVENT_BYTES);
  return occurred.length;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function occurrence(system: System, view: DataView, at: number): Occurrence {
  const base = {
    userdata: view.getBigUint64(at, true),
    type: view.getUint8(at + 8),
    errno: Errno.success,
    waitNs: 0n,
  };
  try {
    switch (base.type) {
      case EventTypes.clock:
        return { ...base, waitNs: waitOf(system, view, at + 16) };
      case EventTypes.fdRead:
      case EventTypes.fdWrite: {
        const right = base.type === EventTypes.fdRead ? "fd_read" : "fd_write";
        const { stream } = system.descriptors.get(view.getUint32(at + 16, true), "poll_fd_readwrite", right);
        return { ...base, ready: stream.ready };
      }
    }
  } catch (error) {
    if (error instanceof SystemError) return { ...base, errno: error.errno };
    throw error;
  }
  throw SystemError.of("inval");
}

function waitOf({ clock }: System, view: DataView, at: number): bigint {
  const now = clock.now(view.getUint32(at, true));
  const timeout = view.getBigUint64(at + 8, true);
  if ((view.getUint16(at + 24, true) & ABSOLUTE) === 0) return timeout;
  return timeout > now ? timeout - now : 0n;
}

function write({ userdata, type, errno, ready }: Occurrence, view: DataView, at: number): void {
  view.setBigUint64(at, userdata, true);
  view.setUint16(at + 8, errno, true);
  view.setUint8(at + 10, type);
  view.setBigUint64(at + 16, BigInt(ready ?? 0), true);
  view.setUint16(at + 24, ready === 0 ? HANGUP : 0, true);
}
