// Programs in WebAssembly that others made: packages that ship theirs, installed beside the project on first use.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const HOME = new URL("../../node_modules/.bench-kernels/", import.meta.url);
const PACKAGES = [
  "hash-wasm@4.13.0",
  "sql.js@1.14.1",
  "quickjs-emscripten-core@0.32.0",
  "@jitl/quickjs-wasmfile-release-sync@0.32.0",
];

/** A `require` that finds them. */
export function packages() {
  const missing = PACKAGES.some(
    (name) => !existsSync(new URL(`node_modules/${name.slice(0, name.lastIndexOf("@"))}`, HOME)),
  );
  if (missing) {
    const options = ["--no-save", "--no-audit", "--no-fund", "--prefix", HOME.pathname];
    execFileSync("npm", ["install", ...options, ...PACKAGES], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return createRequire(new URL("bench.js", HOME));
}
