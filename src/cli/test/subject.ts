import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../../config/load-config.js";
import type { DialectName } from "../../dialects/dialect.js";
import { MOMENTS } from "../../hooks/event.js";
import { hookLabel, type WasmSpec } from "../../hooks/hook.js";
import type { JsonValue } from "../../hooks/json.js";
import { DEFAULT_LIMITS } from "../../hooks/limits.js";
import { anyTool } from "../../hooks/matcher.js";
import { ALL_GRANTS } from "../../hooks/may.js";
import { isCoreModule } from "../../sandbox/inspect.js";
import { readerOf } from "../hook-bytes.js";
import type { Io } from "../io.js";
import { usage } from "../options.js";

export interface SubjectOptions {
  /** Which of the hooks of a config file: its place from 1, its id or its label. */
  hook?: string | undefined;
  /** The JSON of the `config:` block of a module or a source. */
  config?: string | undefined;
  dialect?: DialectName;
}

/**
 * The hooks to test: those of a config file, or a module or a source as if it were declared for every event.
 * @throws WasmhookError where there is nothing to run
 */
export async function loadSubject(
  file: string,
  { hook, config, ...dialect }: SubjectOptions,
  io: Io,
): Promise<LoadedConfig> {
  const readBytes = readerOf(file);
  if (readBytes === undefined) {
    if (config !== undefined) throw usage(`${file} has its hooks' config in it: leave out --config`);
    return withHook(await loadConfig(file, dialect), hook);
  }
  if (hook !== undefined) throw usage(`${file} is one hook: leave out --hook`);
  const bytes = await readBytes(file, io);
  if (config !== undefined && isCoreModule(bytes)) {
    throw usage(`${file} is a WASI command, which cannot read a config: leave out --config`);
  }
  return declaring(file, bytes, parseConfig(config), dialect.dialect ?? "mm");
}

export function parseConfig(json: string | undefined): JsonValue {
  if (json === undefined) return null;
  try {
    return JSON.parse(json) as JsonValue;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw usage(`--config is not JSON (${cause}): give such as '{"paths": ["secrets"]}'`);
  }
}

/** A config file that declares one module for every event, under the names that hooks of an `mm` file have. */
function declaring(wasm: string, bytes: Uint8Array, config: JsonValue, dialect: DialectName): LoadedConfig {
  const file = resolve(wasm);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const runner: WasmSpec = { kind: "wasm", wasm, file, bytes, sha256, config, limits: DEFAULT_LIMITS };
  const hooks = MOMENTS.map((moment) => {
    const id = `${moment}[0]`;
    return { id, moment, matcher: anyTool(), runner, onError: "warn" as const, may: ALL_GRANTS };
  });
  return { file, directory: dirname(file), dialect, loaded: true, hooks, problems: [] };
}

/** The same file with only one of its hooks. */
function withHook(config: LoadedConfig, wanted: string | undefined): LoadedConfig {
  if (wanted === undefined) return config;
  const place = /^\d+$/.test(wanted) ? Number(wanted) : undefined;
  const found = config.hooks.filter((hook, i) => {
    return place === i + 1 || hook.id === wanted || hookLabel(hook) === wanted;
  });
  if (found.length === 1) return { ...config, hooks: found };
  const listed = (found.length === 0 ? config.hooks : found).map(({ id }) => id).join(", ");
  // A file with a problem declares none, and its problems say more.
  if (listed === "") return config;
  throw usage(
    found.length === 0
      ? `there is no hook ${wanted}: use 1 to ${config.hooks.length}, or one of ${listed}`
      : `${found.length} hooks are called ${wanted}: use one of ${listed}`,
  );
}
