import { parentPort } from "node:worker_threads";
import { $init, generate } from "@bytecodealliance/jco-transpile/component";
import { WasmhookError } from "../errors.js";
import { glueExpression } from "./glue.js";
import type { PreparedComponent, TranspileCall, TranspileReply } from "./guest-messages.js";
import { inspect } from "./inspect.js";
import { type Metered, meterModule } from "./meter.js";
import { toPortable } from "./portable-error.js";
import type { Minimum } from "./tank.js";

/** Bytes to a component that can run, everything checked and metered. @throws WasmhookError that says why not. */
async function prepare({ bytes, caps }: TranspileCall): Promise<PreparedComponent> {
  inspect(bytes);
  const files = transpile(bytes);
  const glue = files.find(([name]) => name.endsWith(".js"))?.[1];
  const cores = files.filter(([name]) => name.endsWith(".wasm"));
  return {
    glue: glueExpression(new TextDecoder().decode(glue)),
    cores: await Promise.all(
      cores.map(async ([name, core]) => {
        const metered = meterModule(core, caps);
        return { name, module: await compile(metered.bytes), minimum: minimumOf(metered) };
      }),
    ),
  };
}

function minimumOf({ memories, tables }: Metered): Minimum {
  return {
    pages: memories.reduce((sum, { minPages }) => sum + minPages, 0),
    elements: tables.reduce((sum, { minElements }) => sum + minElements, 0),
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

async function compile(core: Uint8Array): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(core);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `this engine does not compile the module (${cause}): build it without newer features`;
    throw new WasmhookError("module-refused", message, {});
  }
}

async function answer(call: TranspileCall): Promise<TranspileReply> {
  try {
    return { component: await prepare(call) };
  } catch (error) {
    // Anything else ends this worker, which is what tells the other side.
    if (!(error instanceof WasmhookError)) throw error;
    return { failure: toPortable(error) };
  }
}

const port = parentPort;
if (port !== null) {
  await $init;
  port.on("message", async (call: TranspileCall) => port.postMessage(await answer(call)));
  port.postMessage("ready");
}
