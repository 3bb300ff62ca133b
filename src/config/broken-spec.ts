import { WasmhookError } from "../errors.js";
import type { BrokenSpec } from "../hooks/hook.js";
import type { MapNode } from "./tree.js";

/** What a declaration with problems runs as: its label as far as it can be read, and a failure that tells of them. */
export function brokenSpec(hook: MapNode, id: string, messages: readonly string[]): BrokenSpec {
  const type = textIn(hook, "type");
  const isWasm = type === "wasm" || (type !== "command" && !hook.entries.has("command"));
  const declared = isWasm ? "wasm" : "command";
  const [first, ...more] = messages;
  const message = `${first}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
  return {
    kind: "broken",
    declared,
    label: textIn(hook, declared)?.trim() || id,
    failure: new WasmhookError("config-invalid", message, { problemCount: messages.length }),
  };
}

function textIn(hook: MapNode, key: string): string | undefined {
  const value = hook.entries.get(key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}
