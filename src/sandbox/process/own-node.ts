import { isSea } from "node:sea";
import { WasmhookError } from "../../errors.js";

/**
 * The Node that runs this program, to be started again for guests. A single executable would start the program
 * itself again instead.
 * @throws WasmhookError `tool-missing`
 */
export function ownNode(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
  single = isSea(),
): string {
  if (!single && versions.bun === undefined) return process.execPath;
  const message = `wasm hooks run on Node, and this program is none that could be started again: give loadHooks an "execPath", the path of a Node of 20.19 or later`;
  throw new WasmhookError("tool-missing", message, { tool: "node" });
}
