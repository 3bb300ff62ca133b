import { meterModule } from "#src/sandbox/meter";
import {
  fuelIn,
  MAX_FUEL,
  MAX_STACK_UNITS,
  METER_NAMESPACE,
  MeterGlobals,
  stackRanOut,
  tankValue,
} from "#src/sandbox/meter-contract";
import { naivelyMetered } from "../support/naive-meter.js";
import type { Engine } from "./machine.js";

/** More than any script wants, so that the scripts' own limits are the ones that count. */
const CAPS = { memoryPages: 65_536, tableElements: 0xffff_ffff };
const ALLOWANCE = 0x7fff_ffff;

export const plainEngine: Engine = { compile: (bytes) => new WebAssembly.Module(bytes), imports: {} };

export interface MeteredEngine extends Engine {
  readonly fuelLeft: () => bigint;
}

/** An engine of which all modules share one tank. */
export function meteredEngine(): MeteredEngine {
  return engineOf((bytes) => meterModule(bytes, CAPS).bytes);
}

/** The same, charged instruction by instruction, and without a limit on the stack. */
export function naiveEngine(): MeteredEngine {
  return engineOf((bytes) => naivelyMetered(bytes, CAPS));
}

function engineOf(meter: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>): MeteredEngine {
  const full = tankValue(MAX_FUEL, MAX_STACK_UNITS);
  const fuel = new WebAssembly.Global<bigint>({ value: "i64", mutable: true }, full);
  const globals: Record<string, unknown> = { fuel };
  for (const name of [MeterGlobals.pages, MeterGlobals.elements, MeterGlobals.refused]) {
    globals[name] = new WebAssembly.Global({ value: "i32", mutable: true }, ALLOWANCE);
  }
  return {
    compile: (bytes) => new WebAssembly.Module(meter(bytes)),
    imports: { [METER_NAMESPACE]: globals },
    fuelLeft: () => fuelIn(fuel.value),
    takeStackExhaustion: () => {
      const ranOut = stackRanOut(fuel.value);
      if (ranOut) fuel.value = tankValue(Number(fuelIn(fuel.value)), MAX_STACK_UNITS);
      return ranOut;
    },
  };
}
