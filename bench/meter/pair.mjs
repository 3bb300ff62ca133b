// Loads a program twice, once metered: whatever it compiles while it loads is rewritten.
import { meterModule } from "../../dist/sandbox/meter.js";
import {
  MAX_FUEL,
  MAX_STACK_UNITS,
  METER_GLOBAL_ORDER,
  METER_NAMESPACE,
  tankValue,
} from "../../dist/sandbox/meter-contract.js";

const CAPS = { memoryPages: 65_536, tableElements: 10_000_000 };

/** Sizes of all modules that were metered, and of what became of them. */
export const sizes = [];

function meter(source) {
  const bytes = new Uint8Array(source.buffer ?? source, source.byteOffset ?? 0, source.byteLength);
  const metered = meterModule(bytes, CAPS).bytes;
  if (!sizes.some(({ before }) => before === bytes.length)) {
    sizes.push({ before: bytes.length, after: metered.length, bytes: bytes.slice() });
  }
  return metered;
}

/** A tank that does not run dry, and may grow as it likes. */
export function tank() {
  const globals = {};
  for (const [i, name] of METER_GLOBAL_ORDER.entries()) {
    const isFuel = i === 0;
    const value = isFuel ? tankValue(MAX_FUEL, MAX_STACK_UNITS) : 0x7fff_ffff;
    globals[name] = new WebAssembly.Global({ value: isFuel ? "i64" : "i32", mutable: true }, value);
  }
  return { [METER_NAMESPACE]: globals };
}

/** Calls `load` with an engine that is as it was, and again with one that meters. */
export async function pair(load) {
  const plain = await load("plain");
  const { Module, Instance, compile, instantiate } = WebAssembly;
  const globals = tank();
  const isModule = (source) => source instanceof Module;
  WebAssembly.compile = async (source) => compile(meter(source));
  WebAssembly.instantiate = async (source, imports) =>
    isModule(source)
      ? instantiate(source, { ...imports, ...globals })
      : instantiate(meter(source), { ...imports, ...globals });
  WebAssembly.Module = new Proxy(Module, { construct: (target, [source]) => new target(meter(source)) });
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, [module, imports]) => new target(module, { ...imports, ...globals }),
  });
  try {
    return { plain, metered: await load("metered") };
  } finally {
    Object.assign(WebAssembly, { Module, Instance, compile, instantiate });
  }
}
