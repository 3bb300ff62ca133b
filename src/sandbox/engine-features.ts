import { WasmhookError } from "../errors.js";
import { readCoreModule } from "./binary/core-module.js";
import { ValueTypes } from "./binary/core-types.js";
import { opcodeNumber, SIMD_PREFIX } from "./binary/opcodes.js";
import { type FeatureUse, featureUseOf } from "./feature-use.js";

interface EngineFeature {
  readonly name: string;
  /** The first engines of each kind that have it. */
  readonly since: string;
  /** The sections of a module that is valid only with it. */
  readonly probe: readonly number[];
  isUsed(use: FeatureUse): boolean;
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module with one function, of this body without its locals. */
function functionOf(...code: number[]): number[] {
  const types = [0x01, 4, 1, 0x60, 0, 0];
  return [...types, 0x03, 2, 1, 0, 0x0a, code.length + 3, 1, code.length + 1, 0, ...code];
}

function hasAny(opcodes: ReadonlySet<number>, names: string): boolean {
  return names.split(" ").some((name) => opcodes.has(opcodeNumber(name)));
}

/**
 * Features that are accepted here, and that not every engine has that has all the others.
 * Versions: https://webassembly.org/features/, and for Node those of V8 that its releases have.
 */
const FEATURES: readonly EngineFeature[] = [
  {
    name: "extended constants",
    since: "Node 21 (V8 11.4), Safari 17.4, Firefox 112",
    // (global i32 (i32.add (i32.const 1) (i32.const 2)))
    probe: [0x06, 9, 1, 0x7f, 0, 0x41, 1, 0x41, 2, 0x6a, 0x0b],
    isUsed: ({ constants }) => hasAny(constants, "i32.add i32.sub i32.mul i64.add i64.sub i64.mul"),
  },
  {
    name: "several memories",
    since: "Node 22 (V8 12.0), Firefox 125",
    // (memory 0) (memory 0)
    probe: [0x05, 5, 2, 0, 0, 0, 0],
    isUsed: ({ memories }) => memories > 1,
  },
  {
    name: "exceptions (try_table, exnref)",
    since: "Node 22.19 or 25 (V8 13.7), Safari 18.4, Firefox 131",
    // (try_table)
    probe: functionOf(0x1f, 0x40, 0, 0x0b, 0x0b),
    isUsed: ({ code, types }) => hasAny(code, "try_table throw_ref") || types.has(ValueTypes.exnref),
  },
  {
    name: "exceptions of the older encoding",
    since: "Node 17 (V8 9.5), Safari 15.2, Firefox 100",
    // (try (do) (catch_all))
    probe: functionOf(0x06, 0x40, 0x19, 0x0b, 0x0b),
    isUsed: ({ code }) => hasAny(code, "try rethrow"),
  },
  {
    name: "tail calls",
    since: "Node 20 (V8 11.2), Safari 18.2, Firefox 121",
    // (return_call 0)
    probe: functionOf(0x12, 0, 0x0b),
    isUsed: ({ code }) => hasAny(code, "return_call return_call_indirect"),
  },
  {
    name: "SIMD",
    since: "Node 16.4 (V8 9.1), Safari 16.4, Firefox 89",
    // (drop (v128.const i64x2 0 0))
    probe: functionOf(0xfd, 0x0c, ...new Array<number>(16).fill(0), 0x1a, 0x0b),
    isUsed: ({ code, types }) =>
      types.has(ValueTypes.v128) || [...code].some((opcode) => opcode >> 8 === SIMD_PREFIX),
  },
];

/** Why this engine does not compile a core module, if it is for a feature that others have. */
export function lackedFeature(bytes: Uint8Array): WasmhookError<"feature-refused"> | undefined {
  const lacked = FEATURES.filter(
    ({ probe }) => !WebAssembly.validate(Uint8Array.from([...HEADER, ...probe])),
  );
  if (lacked.length === 0) return undefined;
  const use = featureUseOf(readCoreModule(bytes));
  const found = lacked.find(({ isUsed }) => isUsed(use));
  if (found === undefined) return undefined;
  const { name: feature, since } = found;
  const message = `The module uses ${feature}, which the WebAssembly engine below does not have: use one that does (from ${since} on), or build the module without that feature.`;
  return new WasmhookError("feature-refused", message, { feature });
}
