// Modules of real size for the speed of rewriting: the transpiler's own, and SQLite.
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "./packages.mjs";

/** Files, from the smallest to the largest. */
export function bigModules() {
  const transpiler = dirname(fileURLToPath(import.meta.resolve("@bytecodealliance/jco-transpile/component")));
  const vendor = join(transpiler, "..", "vendor");
  const files = readdirSync(vendor)
    .filter((name) => name.endsWith(".core.wasm"))
    .map((name) => join(vendor, name));
  const sqlite = packages().resolve("sql.js/dist/sql-wasm.wasm");
  return [...files, sqlite].sort((a, b) => statSync(a).size - statSync(b).size);
}
