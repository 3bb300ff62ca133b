import { $init, generate } from "@bytecodealliance/jco-transpile/component";
import { WasmhookError } from "../errors.js";
import { compileCore, meterCore } from "./compile-core.js";
import { glueExpression } from "./glue.js";
import type { LoadCall, Loaded } from "./guest-messages.js";
import { inspect } from "./inspect.js";
import { serveLoads } from "./load-service.js";
import { prepare } from "./prepare.js";

/** Bytes to a component that can run, everything checked and metered. @throws WasmhookError that says why not. */
function transpiled(call: LoadCall): Loaded {
  const { bytes, caps, limits } = call;
  const { kind, modules } = inspect(bytes, limits);
  // There is nothing to link.
  if (kind === "command") return { guest: prepare(call).guest };
  const throws = modules.some(({ tags }) => tags > 0);
  const files = transpile(bytes);
  const glue = files.find(([name]) => name.endsWith(".js"))?.[1];
  const cores = files.filter(([name]) => name.endsWith(".wasm"));
  return {
    guest: {
      glue: glueExpression(new TextDecoder().decode(glue)),
      cores: cores.map(([name, core]) => ({ name, ...compileCore(meterCore(core, caps, throws), core) })),
    },
  };
}

function transpile(bytes: Uint8Array): [string, Uint8Array][] {
  try {
    return generate(bytes, {
      name: "guest",
      instantiation: { tag: "sync" },
      noTypescript: true,
      noNodejsCompat: true,
      tlaCompat: false,
      base64Cutoff: 0,
      // Lets modules with exceptions pass the transpiler; whether the engine has them is seen when it compiles.
      bindgenEnableWasmExnref: true,
    }).files;
  } catch (error) {
    // A refusal has a text as its payload; what else is thrown is a crash of the transpiler.
    if (!(error instanceof Error && "payload" in error)) throw error;
    const cause = error.message.replaceAll(/\s+/g, " ");
    const message = `the component is not valid (${cause}): build it again with a current toolchain`;
    throw new WasmhookError("transpile-failed", message, { cause });
  }
}

await $init;
serveLoads(transpiled);
