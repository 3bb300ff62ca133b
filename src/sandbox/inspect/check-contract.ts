import { WasmhookError } from "../../errors.js";
import type { Component, Extern } from "../binary/component-types.js";
import { CONTRACT, type ContractInterface, interfaceName, SPOKEN_VERSIONS } from "./contract.js";
import { sameType } from "./same-type.js";
import { witText } from "./wit-text.js";

/** What a component uses of an interface. */
export interface InterfaceUse {
  /** Such as `wasmhook:hook/host@1.0.0`. */
  name: string;
  functions: string[];
  types: string[];
}

export interface ContractUse {
  /** The version of the contract that the component was built for. */
  version: string;
  imports: InterfaceUse[];
  exports: InterfaceUse[];
}

const HANDLER = interfaceName("handler");
const HOST = interfaceName("host");
const BUILD_FOR_HOOK = `build it for the world hook of ${CONTRACT.package}@${CONTRACT.version}`;

/**
 * Checks that a component imports and exports what `wit/` has, with exactly its types.
 *
 * @throws WasmhookError `version-refused`, `not-a-hook` or `import-refused`
 */
export function checkContract(component: Component): ContractUse {
  checkVersions(component);
  const handler = component.exports.get(HANDLER);
  if (handler === undefined) throw notAHook(component);
  const imports = Array.from(component.imports.values(), checkImport);
  const exports = [checkHandler(handler)];
  const extra = [...component.exports.keys()].filter((name) => name !== HANDLER);
  if (extra.length > 0) {
    const message = `The component exports more than ${HANDLER}: ${listed(extra)}; ${BUILD_FOR_HOOK}, which exports nothing else.`;
    throw new WasmhookError("not-a-hook", message, { found: [...component.exports.keys()] });
  }
  return { version: CONTRACT.version, imports, exports };
}

function checkVersions({ imports, exports }: Component): void {
  for (const name of [...exports.keys(), ...imports.keys()]) {
    if (!name.startsWith(`${CONTRACT.package}/`)) continue;
    const found = name.includes("@") ? name.slice(name.indexOf("@") + 1) : "none";
    if (SPOKEN_VERSIONS.includes(found)) continue;
    const spoken = [...SPOKEN_VERSIONS];
    const message = `The component was built for version ${found} of ${CONTRACT.package} (${name}), and this host speaks ${spoken.join(", ")}; build it again for ${CONTRACT.package}@${CONTRACT.version}, or use a wasmhook that speaks its version.`;
    throw new WasmhookError("version-refused", message, { found, spoken });
  }
}

function notAHook(component: Component): WasmhookError {
  const exports = [...component.exports.values()];
  const found = exports.map(({ name }) => name);
  let what = `it exports ${listed(found)}`;
  if (exports.length === 0) what = "it exports nothing";
  else if (exports.every(({ type }) => type.kind === "component")) what = "it is a WIT package";
  const message = `The component exports no ${HANDLER}, so it is no hook but of another world: ${what}; ${BUILD_FOR_HOOK}.`;
  return new WasmhookError("not-a-hook", message, { found });
}

function checkImport(extern: Extern): InterfaceUse {
  const { name } = extern;
  if (name !== HOST || extern.sort !== "instance") throw importRefused(name, whyNotImported(name));
  const { host } = CONTRACT.imports;
  return use(extern.name, extern.type.exports.values(), host, (item, problem) => {
    throw importRefused(`${name}#${item}`, problem);
  });
}

function whyNotImported(name: string): string {
  if (name.startsWith("wasi:")) {
    return "and WASI is not given to hooks by this version; build it without WASI (a freestanding target, or the standard library's stubs)";
  }
  return `and a hook is given only ${HOST}; ${BUILD_FOR_HOOK}`;
}

function importRefused(name: string, why: string): WasmhookError {
  return new WasmhookError("import-refused", `The component imports ${name}, ${why}.`, { name });
}

function checkHandler(extern: Extern): InterfaceUse {
  const refuse = (item: string | undefined, problem: string): never => {
    const name = item === undefined ? HANDLER : `${HANDLER}#${item}`;
    const message = `The component exports ${name}, ${problem}.`;
    throw new WasmhookError("not-a-hook", message, { found: [name] });
  };
  if (extern.sort !== "instance") return refuse(undefined, `but as a ${extern.sort}; ${BUILD_FOR_HOOK}`);
  const { handler } = CONTRACT.exports;
  for (const name of Object.keys(handler)) {
    if (!extern.type.exports.has(name))
      refuse(undefined, `but without its function ${name}; ${BUILD_FOR_HOOK}`);
  }
  return use(HANDLER, extern.type.exports.values(), handler, refuse);
}

/** Compares what stands in an interface with the contract, item by item. */
function use(
  name: string,
  items: Iterable<Extern>,
  contract: ContractInterface,
  refuse: (item: string, problem: string) => never,
): InterfaceUse {
  const functions: string[] = [];
  const types: string[] = [];
  for (const item of items) {
    const expected = Object.hasOwn(contract, item.name) ? contract[item.name] : undefined;
    if (expected === undefined) return refuse(item.name, `which ${name} does not have; ${BUILD_FOR_HOOK}`);
    const sort = expected.kind === "func" ? "func" : "type";
    if (item.sort !== sort || !sameType(expected, item.type)) {
      return refuse(
        item.name,
        `as ${witText(item.type)} where ${name} has ${witText(expected)}; ${BUILD_FOR_HOOK}`,
      );
    }
    (sort === "func" ? functions : types).push(item.name);
  }
  return { name, functions, types };
}

function listed(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
