import { meterModule } from "#src/sandbox/meter";
import { METER_NAMESPACE, MeterGlobals } from "#src/sandbox/meter-contract";
import type { Engine } from "./machine.js";

const FUEL = 2n ** 62n;
/** More than any script wants, so that the scripts' own limits are the ones that count. */
const CAPS = { memoryPages: 65_536, tableElements: 0xffff_ffff };
const ALLOWANCE = 0x7fff_ffff;

export const plainEngine: Engine = { compile: (bytes) => new WebAssembly.Module(bytes), imports: {} };

/** An engine of which all modules share one tank. */
export function meteredEngine(): Engine & { fuelLeft: () => bigint } {
  const fuel = new WebAssembly.Global<bigint>({ value: "i64", mutable: true }, FUEL);
  const globals: Record<string, unknown> = { fuel };
  for (const name of [MeterGlobals.pages, MeterGlobals.elements, MeterGlobals.refused]) {
    globals[name] = new WebAssembly.Global({ value: "i32", mutable: true }, ALLOWANCE);
  }
  return {
    compile: (bytes) => new WebAssembly.Module(meterModule(bytes, CAPS).bytes),
    imports: { [METER_NAMESPACE]: globals },
    fuelLeft: () => fuel.value,
  };
}
