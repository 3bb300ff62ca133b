import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type LoadConfigOptions, type LoadedConfig, loadConfig } from "#src/config/load-config";
import type { Problem } from "#src/config/problem";

/** A new directory with these files, for the running test. */
export async function folder(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "wasmhook-config-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, contents] of Object.entries(files)) await writeFile(join(directory, name), contents);
  return directory;
}

/** Loads a config file of this name and text, with other files beside it. */
export async function load(
  name: string,
  text: string | Uint8Array,
  files: Record<string, string | Uint8Array> = {},
  options: LoadConfigOptions = {},
): Promise<LoadedConfig> {
  const directory = await folder({ ...files, [name]: text });
  return loadConfig(join(directory, name), options);
}

/** Each problem as `line:column code`, with the hook where there is one. */
export function places({ problems }: { problems: readonly Problem[] }): string[] {
  return problems.map(
    ({ line, column, code, hook }) => `${line}:${column} ${code}${hook === undefined ? "" : ` ${hook}`}`,
  );
}
