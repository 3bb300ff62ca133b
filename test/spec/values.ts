import type { Constant } from "./constants.js";

export type NumberType = "i32" | "i64" | "f32" | "f64" | "v128";
export type NanPattern = "nan:canonical" | "nan:arithmetic";

/** What a function gave back: bits of a number, or a reference. */
export type Value =
  | { readonly type: NumberType; readonly bits: Uint8Array }
  | { readonly type: "ref"; readonly reference: unknown };

const LANE_BYTES: Readonly<Record<string, number>> = {
  i8x16: 1,
  i16x8: 2,
  i32x4: 4,
  f32x4: 4,
  i64x2: 8,
  f64x2: 8,
};

/** The width of a lane of a vector shape; of a number type, its own width. */
export function laneBytes(shape: string): number {
  return LANE_BYTES[shape] ?? (shape.endsWith("32") ? 4 : 8);
}

export function matches(value: Value | undefined, expected: Constant): boolean {
  if (value === undefined) return false;
  if (expected.kind === "either") return expected.alternatives.some((one) => matches(value, one));
  if (value.type !== "ref") return expected.kind === "bits" && matchesBits(value.bits, expected);
  switch (expected.kind) {
    case "null":
      return value.reference === null;
    case "extern":
      return value.reference === expected.value;
    case "any-function":
      return typeof value.reference === "function";
    case "any-extern":
      return value.reference !== null;
    default:
      return false;
  }
}

function matchesBits(bits: Uint8Array, expected: Constant & { kind: "bits" }): boolean {
  const { bytes, patterns } = expected.lanes;
  const differs = bits.findIndex((byte, i) => {
    const isOpen = patterns[Math.floor(i / bytes)] !== undefined;
    return !isOpen && byte !== expected.bits[i];
  });
  if (differs >= 0) return false;
  return patterns.every((pattern, lane) => {
    return pattern === undefined || matchesNan(bits.subarray(lane * bytes, (lane + 1) * bytes), pattern);
  });
}

/** The sign is open; canonical has only the top bit of the payload, arithmetic has at least that. */
function matchesNan(lane: Uint8Array, pattern: NanPattern): boolean {
  const bytes = [...lane].reverse();
  const [first = 0, second = 0, ...rest] = bytes;
  const quiet = bytes.length === 4 ? 0xc0 : 0xf8;
  if ((first & 0x7f) !== 0x7f) return false;
  if (pattern === "nan:arithmetic") return (second & quiet) === quiet;
  return second === quiet && rest.every((byte) => byte === 0);
}

/** For comparing and for messages; where `expected` leaves open which NaN it is, nothing of that is shown. */
export function show(value: Value, expected?: Constant): string {
  if (value.type !== "ref") {
    const bits = Uint8Array.from(value.bits);
    if (expected?.kind === "bits") {
      const { bytes, patterns } = expected.lanes;
      for (const [lane, pattern] of patterns.entries()) {
        if (pattern !== undefined) bits.fill(0xff, lane * bytes, (lane + 1) * bytes);
      }
    }
    return `${value.type}:${Buffer.from(bits).toString("hex")}`;
  }
  const { reference } = value;
  return typeof reference === "function" ? "function" : String(reference);
}
