import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { meterModule } from "#src/sandbox/meter";
import {
  fuelIn,
  MAX_STACK_UNITS,
  METER_NAMESPACE,
  MeterGlobals,
  stackRanOut,
  tankValue,
} from "#src/sandbox/meter-contract";

/** What the modules of one guest share. */
export class TestTank {
  readonly fuel: WebAssembly.Global<bigint>;
  readonly pages: WebAssembly.Global<number>;
  readonly elements: WebAssembly.Global<number>;
  readonly refused = new WebAssembly.Global<number>({ value: "i32", mutable: true }, 0);
  private readonly limit: number;

  constructor({ fuel = 1_000_000_000, stack = MAX_STACK_UNITS, pages = 100, elements = 1000 } = {}) {
    this.limit = fuel;
    this.fuel = new WebAssembly.Global({ value: "i64", mutable: true }, tankValue(fuel, stack));
    this.pages = new WebAssembly.Global({ value: "i32", mutable: true }, pages);
    this.elements = new WebAssembly.Global({ value: "i32", mutable: true }, elements);
  }

  /** The fuel that is left; negative once it has run out. */
  get left(): number {
    return Number(fuelIn(this.fuel.value));
  }

  get used(): number {
    return this.limit - this.left;
  }

  get stackRanOut(): boolean {
    return stackRanOut(this.fuel.value);
  }

  get imports(): WebAssembly.Imports {
    return {
      [METER_NAMESPACE]: {
        [MeterGlobals.fuel]: this.fuel,
        [MeterGlobals.pages]: this.pages,
        [MeterGlobals.elements]: this.elements,
        [MeterGlobals.refused]: this.refused,
      },
    };
  }
}

export const TEST_CAPS = { memoryPages: 1000, tableElements: 10_000 };

type Exported = (...args: (number | bigint | null)[]) => unknown;

/** Meters the text of a module and instantiates it on `tank`. */
export async function meteredInstance(
  wat: string,
  tank: TestTank,
  imports: WebAssembly.Imports = {},
  caps = TEST_CAPS,
): Promise<WebAssembly.Instance> {
  const { bytes } = meterModule(await parse(wat), caps);
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { ...imports, ...tank.imports });
}

/** The functions that the metered text of a module exports. */
export async function meteredFunctions(
  wat: string,
  tank: TestTank,
  imports: WebAssembly.Imports = {},
): Promise<Record<string, Exported>> {
  return (await meteredInstance(wat, tank, imports)).exports as Record<string, Exported>;
}

/** Whether the engine below has what the text of a module needs. */
export async function isSupported(wat: string): Promise<boolean> {
  return WebAssembly.validate(await parse(wat));
}
