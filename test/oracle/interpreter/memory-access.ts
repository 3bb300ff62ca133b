import type { Memory } from "./store.js";
import { Trap, type Value } from "./values.js";

/** Bytes that a load or store moves, and whether a load extends with the sign. */
interface Access {
  readonly bytes: number;
  readonly isSigned: boolean;
  readonly isWide: boolean;
}

const TYPE_BYTES: Readonly<Record<string, number>> = { i32: 4, f32: 4, i64: 8, f64: 8 };

function accessOf(name: string): Access | undefined {
  const found = /^([if](?:32|64))\.(?:load|store)(\d*)(_s)?/.exec(name);
  if (!found) return undefined;
  const [, type = "", bits, sign] = found;
  const own = TYPE_BYTES[type] ?? 0;
  return { bytes: bits ? Number(bits) / 8 : own, isSigned: sign !== undefined, isWide: own === 8 };
}

const known = new Map<string, Access | undefined>();

function access(name: string): Access | undefined {
  if (!known.has(name)) known.set(name, accessOf(name));
  return known.get(name);
}

export function isMemoryAccess(name: string): boolean {
  return access(name) !== undefined;
}

function place(memory: Memory, address: Value, offset: number, bytes: number): number {
  const start = ((address as number) >>> 0) + offset;
  if (start + bytes > memory.bytes.length) throw new Trap("memory out of bounds");
  return start;
}

export function load(name: string, memory: Memory, address: Value, offset: number): Value {
  const { bytes, isSigned, isWide } = access(name) as Access;
  const start = place(memory, address, offset, bytes);
  let value = 0n;
  for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(memory.bytes[start + i] as number);
  if (isSigned) value = BigInt.asIntN(bytes * 8, value);
  return isWide ? BigInt.asIntN(64, value) : Number(BigInt.asIntN(32, value));
}

export function store(name: string, memory: Memory, address: Value, value: Value, offset: number): void {
  const { bytes } = access(name) as Access;
  const start = place(memory, address, offset, bytes);
  const bits = BigInt.asUintN(64, BigInt(value as number | bigint));
  for (let i = 0; i < bytes; i++) memory.bytes[start + i] = Number((bits >> BigInt(8 * i)) & 0xffn);
}
