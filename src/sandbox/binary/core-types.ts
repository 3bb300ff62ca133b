import type { Reader } from "./bytes.js";
import { featureRefused, malformed } from "./refusal.js";

/** Value types as their byte: https://webassembly.github.io/spec/core/binary/types.html */
export const ValueTypes = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
  funcref: 0x70,
  externref: 0x6f,
  exnref: 0x69,
} as const;
export type ValueType = (typeof ValueTypes)[keyof typeof ValueTypes];
export type ReferenceType = 0x70 | 0x6f | 0x69;

export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export function sameFunction(a: FunctionType, b: FunctionType): boolean {
  return sameTypes(a.params, b.params) && sameTypes(a.results, b.results);
}

function sameTypes(a: readonly ValueType[], b: readonly ValueType[]): boolean {
  return a.length === b.length && a.every((type, i) => type === b[i]);
}

export interface Limits {
  readonly min: number;
  readonly max?: number;
}

/** In pages of 64 KiB. */
export type MemoryType = Limits;

export interface TableType extends Limits {
  readonly element: ReferenceType;
}

export interface GlobalType {
  readonly type: ValueType;
  readonly mutable: boolean;
}

const accepted = new Set<number>(Object.values(ValueTypes));
/** `exn` upwards to `func`: the abstract heap types and the forms with a prefix. */
const GC_TYPES = new Set([0x6e, 0x6d, 0x6c, 0x6b, 0x6a, 0x71, 0x72, 0x73, 0x78, 0x77]);
const MAX_MEMORY_PAGES = 65_536;

export function isValueType(byte: number): byte is ValueType {
  return accepted.has(byte);
}

/** Why `byte`, read as a value type at `offset`, is refused. */
export function valueTypeRefused(byte: number, offset: number): Error {
  if (byte === 0x64 || byte === 0x63) return featureRefused(offset, "typed function references");
  if (byte === 0x74) return featureRefused(offset, "the null exception type");
  if (GC_TYPES.has(byte)) return featureRefused(offset, "garbage collection");
  if (byte === 0x68 || byte === 0x75) return featureRefused(offset, "stack switching");
  return malformed(offset, `0x${byte.toString(16)} is not a value type`);
}

export function readValueType(reader: Reader): ValueType {
  const offset = reader.position;
  const byte = reader.byte();
  if (!isValueType(byte)) throw valueTypeRefused(byte, offset);
  return byte;
}

export function readReferenceType(reader: Reader): ReferenceType {
  const offset = reader.position;
  const type = readValueType(reader);
  if (type >= ValueTypes.v128) throw malformed(offset, `0x${type.toString(16)} is not a reference type`);
  return type as ReferenceType;
}

export function readValueTypes(reader: Reader): ValueType[] {
  const types: ValueType[] = [];
  for (let count = reader.u32(); count > 0; count--) types.push(readValueType(reader));
  return types;
}

export function readFunctionType(reader: Reader): FunctionType {
  const offset = reader.position;
  const form = reader.byte();
  if (form === 0x5d) throw featureRefused(offset, "stack switching");
  if (form >= 0x4c && form <= 0x5f) throw featureRefused(offset, "garbage collection");
  if (form !== 0x60) throw malformed(offset, `0x${form.toString(16)} is not a form of type`);
  return { params: readValueTypes(reader), results: readValueTypes(reader) };
}

function readLimits(reader: Reader, what: string): Limits {
  const offset = reader.position;
  const flags = reader.byte();
  if (flags & 0x02) throw featureRefused(offset, `a shared ${what}`);
  if (flags & 0x04) throw featureRefused(offset, `a 64-bit ${what}`);
  if (flags & 0x08) throw featureRefused(offset, "custom page sizes");
  if (flags > 0x01) throw malformed(offset, `0x${flags.toString(16)} are not the flags of a ${what}`);
  const min = reader.u32();
  if (flags === 0) return { min };
  const max = reader.u32();
  if (min > max) throw malformed(offset, `a ${what} has the minimum ${min} above its maximum ${max}`);
  return { min, max };
}

export function readMemoryType(reader: Reader): MemoryType {
  const offset = reader.position;
  const type = readLimits(reader, "memory");
  if (Math.max(type.min, type.max ?? 0) > MAX_MEMORY_PAGES) {
    throw malformed(offset, `a memory has more than ${MAX_MEMORY_PAGES} pages`);
  }
  return type;
}

export function readTableType(reader: Reader): TableType {
  const element = readReferenceType(reader);
  return { element, ...readLimits(reader, "table") };
}

export function readGlobalType(reader: Reader): GlobalType {
  const type = readValueType(reader);
  const offset = reader.position;
  const mutability = reader.byte();
  if (mutability === 2 || mutability === 3) throw featureRefused(offset, "a shared global");
  if (mutability > 1) throw malformed(offset, `0x${mutability.toString(16)} is not a mutability`);
  return { type, mutable: mutability === 1 };
}
