const view = new DataView(new ArrayBuffer(8));

/** The number that an f32 with these bits stands for. */
export function fromF32(bits: number): number {
  view.setInt32(0, bits);
  return view.getFloat32(0);
}

/** The bits of a result of arithmetic; all NaNs are the canonical one. */
export function toF32(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0_0000;
  view.setFloat32(0, value);
  return view.getInt32(0);
}

export function fromF64(bits: bigint): number {
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}

export function toF64(value: number): bigint {
  if (Number.isNaN(value)) return 0x7ff8_0000_0000_0000n;
  view.setFloat64(0, value);
  return view.getBigInt64(0);
}

/** To the nearest integer, and to the even one of two that are as near. */
export function nearest(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const below = Math.floor(value);
  const distance = value - below;
  const isUp = distance > 0.5 || (distance === 0.5 && below % 2 !== 0);
  const rounded = isUp ? below + 1 : below;
  // What rounds to nought keeps its sign.
  return rounded === 0 ? value * 0 : rounded;
}

/** The f32 that is nearest to an integer: by way of an f64 it would be rounded twice. */
export function integerToF32(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const excess = magnitude.toString(2).length - 24;
  if (excess <= 0) return Number(value);
  const unit = 1n << BigInt(excess);
  const rest = magnitude % unit;
  let rounded = magnitude - rest;
  const half = unit / 2n;
  if (rest > half || (rest === half && (rounded / unit) % 2n === 1n)) rounded += unit;
  return Number(value < 0n ? -rounded : rounded);
}
