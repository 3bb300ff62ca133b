import type { WasmhookError } from "../errors.js";
import type { Limits, WasmSpec } from "../hooks/hook.js";
import type { FileContext } from "./file-context.js";
import { textOf } from "./keys.js";
import { resolveModulePath } from "./module-path.js";
import { MODULE_CODES, type Report } from "./problem.js";
import { describe, type Entry, type MapNode, quote } from "./tree.js";

/** The module that `wasm:` names, if it can be a hook within its limits and is the one that `sha256:` pins. */
export async function readModule(
  hook: MapNode,
  limits: Limits,
  context: FileContext,
  report: Report,
): Promise<Pick<WasmSpec, "wasm" | "file" | "bytes" | "sha256"> | undefined> {
  const pin = hook.entries.get("sha256");
  const expected = pin && readDigest(pin, report);
  const entry = hook.entries.get("wasm");
  const wasm = entry && textOf(entry, report);
  if (entry === undefined || wasm === undefined) return undefined;
  const file = resolveModulePath(context.expandPath?.(wasm) ?? wasm, context.directory);
  const { module, refusal } = await context.modules(file, limits.module);
  if (pin !== undefined && expected !== undefined && module !== undefined && module.sha256 !== expected) {
    report("digest-mismatch", pin.value.at, mismatch(wasm, module.sha256, expected));
    return undefined;
  }
  if (refusal !== undefined) report(codeOf(refusal), entry.keyAt, `${quote(wasm)}: ${refusal.message}`);
  return refusal === undefined && module !== undefined ? { wasm, file, ...module } : undefined;
}

/** A SHA-256 as 64 hexadecimal digits in either case, with or without `sha256:` before them. */
function readDigest({ value }: Entry, report: Report): string | undefined {
  const text = value.kind === "scalar" ? value.text.trim().toLowerCase() : "";
  const digest = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text)?.[1];
  if (digest === undefined) {
    const found = value.kind === "scalar" && text !== "" ? quote(text) : describe(value);
    report(
      "bad-value",
      value.at,
      `"sha256" is ${found}: write the 64 hexadecimal digits that sha256sum prints`,
    );
  }
  return digest;
}

function mismatch(wasm: string, actual: string, expected: string): string {
  return `${quote(wasm)} has the SHA-256 ${actual} and not ${expected}: restore the file, or pin the new one if you trust it`;
}

function codeOf(refusal: WasmhookError): (typeof MODULE_CODES)[number] {
  return MODULE_CODES.find((code) => code === refusal.code) ?? "module-refused";
}
