import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** What a `wasm:` path means: `~/`, and relative to the directory of the config file. */
export function resolveModulePath(written: string, directory: string): string {
  return resolve(directory, written.startsWith("~/") ? join(homedir(), written.slice(2)) : written);
}

/** Puts the config file's directory for `$MM_CONFIG_DIR` and `${MM_CONFIG_DIR}`. Other variables stay as they are. */
export function expandConfigDir(written: string, directory: string): string {
  return written.replace(/\$\{MM_CONFIG_DIR\}|\$MM_CONFIG_DIR(?![A-Za-z0-9_])/g, () => directory);
}
