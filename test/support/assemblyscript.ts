import { join } from "node:path";
import { buildHook } from "#src/build/build-hook";
import { folder } from "./cli.js";

/** The component of a hook's AssemblyScript. */
export async function buildText(text: string): Promise<Uint8Array> {
  const { bytes } = await buildHook(join(await folder({ "hook.ts": text }), "hook.ts"));
  return bytes;
}
