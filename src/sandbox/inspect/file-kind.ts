import { WasmhookError } from "../../errors.js";
import { truncated } from "../binary/refusal.js";

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** What people give in place of WebAssembly, by its first bytes. */
const BINARY: readonly (readonly [number[], string])[] = [
  [[0x1f, 0x8b], "is compressed with gzip: decompress it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "is compressed with zstd: decompress it first"],
  [[0x42, 0x5a, 0x68], "is compressed with bzip2: decompress it first"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "is compressed with xz: decompress it first"],
  [[0x50, 0x4b, 0x03, 0x04], "is a zip archive: take the component out of it"],
  [[0x7f, 0x45, 0x4c, 0x46], "is a native program: declare it with `command:` in place of `wasm:`"],
];

/** The same for texts, by how they begin once white space and comments of the text format are gone. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^\(\s*(?:component|module)\b/, "is WebAssembly text: turn it into a binary with `wasm-tools parse`"],
  [/^<(?:!doctype|html|\?xml|head|body)\b/i, "is a web page: it was not downloaded as it should be"],
  [/^version https:\/\/git-lfs\.github\.com\/spec\//, "is a Git LFS pointer: run `git lfs pull`"],
  [/^package\s+[\w-]+:[\w-]+/, "is WIT, the description of a component: build the component itself"],
  [/^#!/, "is a script: declare it with `command:` in place of `wasm:`"],
];
const ANY_TEXT =
  "is text: build it into a component first (`wasmhook build` does so for AssemblyScript, JavaScript and TypeScript) and name what was built";

/**
 * Refuses what does not start as WebAssembly does, and says what it looks like.
 *
 * @throws WasmhookError `wasm-truncated` or `module-refused`
 */
export function checkIsWasm(bytes: Uint8Array): void {
  if (bytes.length === 0) {
    throw new WasmhookError("wasm-truncated", "The file is empty; build it again.", { offset: 0 });
  }
  const common = MAGIC.findIndex((byte, i) => bytes[i] !== byte);
  if (common === -1) return;
  if (common === bytes.length) throw truncated(bytes.length, "the bytes of WebAssembly");
  throw new WasmhookError("module-refused", `The file is no WebAssembly but ${looksLike(bytes)}.`, {
    offset: 0,
  });
}

function looksLike(bytes: Uint8Array): string {
  for (const [start, what] of BINARY) {
    if (start.every((byte, i) => bytes[i] === byte)) return what;
  }
  const text = new TextDecoder().decode(bytes.subarray(0, 4096));
  // A character may be cut in two at the end of the sample.
  if (/(?![\t\n\f\r])\p{Cc}|\ufffd(?!$)/u.test(text)) {
    return "begins with other bytes; check that it is the file that was meant, and that it was copied whole";
  }
  const start = text.replace(/^\ufeff/, "").replace(/^(?:\s+|;;[^\n]*|\(;[\s\S]*?;\))+/, "");
  return TEXTS.find(([pattern]) => pattern.test(start))?.[1] ?? ANY_TEXT;
}
