import { interfaceName } from "../sandbox/inspect/contract.js";

/** The generated file's name beside the author's source; it exists for the compiler only. */
export const ENTRY_FILE = "wasmhook-entry.ts";

/** Names of the functions of `entrySource` and the names that the canonical ABI wants them exported under. */
export const ENTRY_EXPORTS = [
  { internal: "wasmhook-entry/allocateForHost", exported: "allocateForHost", abi: "cabi_realloc" },
  {
    internal: "wasmhook-entry/handleEvent",
    exported: "handleEvent",
    abi: `${interfaceName("handler")}#handle`,
  },
] as const;

/** AssemblyScript that puts the author's `handle` behind the ABI of the `hook` world. */
export function entrySource(sourceName: string): string {
  return `import { abort, allocate, answer, eventAt } from "wasmhook/guest/abi";
import { handle } from ${JSON.stringify(`./${sourceName}`)};

export function allocateForHost(old: usize, oldSize: usize, align: usize, size: usize): usize {
  return allocate(old, oldSize, align, size);
}

export function handleEvent(start: usize, size: usize): usize {
  return answer(handle(eventAt(start, size)));
}
`;
}
