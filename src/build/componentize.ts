import { readFile } from "node:fs/promises";
import { componentEmbed, componentNew } from "@bytecodealliance/jco-transpile/wasm-tools";
import { WasmhookError } from "../errors.js";
import { interfaceName } from "../sandbox/inspect/contract.js";

const WIT_FILE = new URL("../../wit/hook.wit", import.meta.url);
const HOST = interfaceName("host");

/**
 * Makes a component of the `hook` world of a core module that has its exports.
 * @throws WasmhookError `build-failed` where the module imports what a hook does not get.
 */
export async function componentize(core: Uint8Array<ArrayBuffer>, source: string): Promise<Uint8Array> {
  const refused = WebAssembly.Module.imports(new WebAssembly.Module(core)).filter(
    ({ module }) => module !== HOST,
  );
  if (refused.length > 0) {
    const names = refused.map(({ module, name }) => `${module}.${name}`).join(", ");
    throw new WasmhookError(
      "build-failed",
      `${source} needs ${names}, which a hook does not get: it has no clock, no random numbers and no console (for output there is "log" in "wasmhook/guest")`,
      { cause: names },
    );
  }
  const witSource = await readFile(WIT_FILE, "utf8");
  const embedded = await componentEmbed({ binary: core, witSource, world: "hook", stringEncoding: "utf8" });
  return componentNew(embedded, []);
}
