import { readFile } from "node:fs/promises";
import { componentEmbed, componentNew, parse } from "@bytecodealliance/jco-transpile/wasm-tools";

/** The text of the contract with guests. */
export const hookWit = await readFile(new URL("../../wit/hook.wit", import.meta.url), "utf8");

/** Parses the text of a component (or of a core module) into its bytes. */
export async function componentFromWat(wat: string): Promise<Uint8Array> {
  return await parse(wat);
}

/** Makes a component of the world `world` in `wit` from the text of a core module, strings as UTF-8. */
export async function worldComponent(wat: string, wit: string, world: string): Promise<Uint8Array> {
  const binary = await parse(wat);
  const embedded = await componentEmbed({ binary, witSource: wit, world, stringEncoding: "utf8" });
  return await componentNew(embedded, []);
}

/** Makes a component of the `hook` world from the text of a core module, such as one of `guests.ts`. */
export async function hookComponent(wat: string): Promise<Uint8Array> {
  return await worldComponent(wat, hookWit, "hook");
}

/** The same with its strings as UTF-16: lengths count code units. */
export async function utf16HookComponent(wat: string): Promise<Uint8Array> {
  const binary = await parse(wat);
  const embedded = await componentEmbed({ binary, witSource: hookWit, stringEncoding: "utf16" });
  return await componentNew(embedded, []);
}
