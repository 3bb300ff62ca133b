// A current Node beside the one that runs this, from the package that ships its binary.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const VERSION = "26.10.0";
const HOME = new URL("../node_modules/.current-node/", import.meta.url).pathname;

/** Installs it on first use. Throws where this platform has none. */
export function currentNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const file = join(HOME, "node_modules", name, "bin", "node");
  if (!existsSync(file)) {
    execFileSync(
      "npm",
      ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", HOME, `${name}@${VERSION}`],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  }
  return { file, version: execFileSync(file, ["--version"], { encoding: "utf8" }).trim() };
}
