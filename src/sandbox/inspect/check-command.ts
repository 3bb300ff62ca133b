import { WasmhookError } from "../../errors.js";
import type { CoreModule, Export, Import } from "../binary/core-module.js";
import { sameFunction } from "../binary/core-types.js";
import { type FunctionName, isFunctionName, PREVIEW1, signatureOf } from "../wasi/preview1/signatures.js";
import { coreTypeText, functionText } from "./core-type-text.js";
import { shownName } from "./escaped.js";

const HOW = "build a program with a main function for wasm32-wasip1";
const COMPONENT =
  "make a component of it (`wasmhook build` for AssemblyScript, JavaScript and TypeScript, or `wasm-tools component new` with the world hook of wit/hook.wit)";

/**
 * Checks that a core module is a command of WASI preview 1: that it exports what a command does, and imports
 * nothing but functions of preview 1 with exactly their types.
 * Source: https://github.com/WebAssembly/WASI/blob/main/legacy/application-abi.md
 *
 * @returns the names of what it imports
 * @throws WasmhookError `core-module` where it is no command, `import-refused`
 */
export function checkCommand(module: CoreModule): FunctionName[] {
  const exports = new Map(module.exports.map((item): [string, Export] => [item.name, item]));
  const start = exports.get("_start");
  if (exports.has("_initialize")) throw notACommand("it is a reactor, which exports _initialize", HOW);
  if (start === undefined) throw notACommand("it exports no _start", `${HOW}, or ${COMPONENT}`);
  if (!isStart(module, start))
    throw notACommand("its _start is no function that takes and gives nothing", HOW);
  if (exports.get("memory")?.kind !== "memory") throw notACommand('it exports no memory named "memory"', HOW);
  return module.imports.map((item) => checkImport(module, item));
}

function notACommand(why: string, fix: string): WasmhookError<"core-module"> {
  const message = `This is a core WebAssembly module, but not a WASI command: ${why}; ${fix}.`;
  return new WasmhookError("core-module", message, {});
}

function isStart(module: CoreModule, { kind, index }: Export): boolean {
  const type = kind === "func" ? module.types[module.functions[index] ?? -1] : undefined;
  return type !== undefined && sameFunction(type, { params: [], results: [] });
}

function checkImport(module: CoreModule, item: Import): FunctionName {
  const { module: from, name, kind, index } = item;
  const refuse = (why: string): never => {
    const message = `The module imports ${shownName(name)} from ${shownName(from)}, ${why}.`;
    throw new WasmhookError("import-refused", message, { name: `${from} ${name}` });
  };
  if (from === "wasi_unstable")
    return refuse(`an older WASI than ${PREVIEW1}; build it with a current toolchain`);
  if (from !== PREVIEW1) return refuse(`and a WASI command is given only ${PREVIEW1}; ${HOW}`);
  if (!isFunctionName(name)) return refuse(`which has no such function; ${HOW}`);
  const expected = signatureOf(name);
  const type = kind === "func" ? module.types[module.functions[index] ?? -1] : undefined;
  if (type === undefined || !sameFunction(type, expected)) {
    return refuse(`as ${coreTypeText(module, item)} where it is ${functionText("func", expected)}; ${HOW}`);
  }
  return name;
}
