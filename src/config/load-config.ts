import { dirname, resolve } from "node:path";
import type { DialectName } from "../dialects/dialect.js";
import { WasmhookError } from "../errors.js";
import type { Hook, Limits } from "../hooks/hook.js";
import { DEFAULT_LIMITS, withLimits } from "../hooks/limits.js";
import { dialectOf } from "./dialect-of.js";
import type { FileContext } from "./file-context.js";
import { readMm } from "./mm.js";
import { readMnemoai } from "./mnemoai.js";
import { type Problem, ProblemList } from "./problem.js";
import { readRegularFile } from "./regular-file.js";
import { decodeUtf8 } from "./utf8.js";
import { moduleReader } from "./wasm-file.js";

/** A larger file is no hand-written config, and parsing it would take seconds. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/** A config file as it was when it was read. */
export interface LoadedConfig {
  /** Absolute path. */
  file: string;
  /** Absolute path of its directory. */
  directory: string;
  dialect: DialectName;
  /** False where the file as a whole cannot be used: any problem in an `mm` file, no such JSON in a mnemoai one. */
  loaded: boolean;
  /** In declared order. One with a problem is there only to fail, where its failure is to refuse; an `mm` file with any problem has none. */
  hooks: Hook[];
  /** In the order of the file. */
  problems: Problem[];
  /** `mm` only, where the file sets it. */
  displayHooks?: boolean;
}

export interface LoadConfigOptions {
  /** Told by the file where it is not given. */
  dialect?: DialectName;
  /** Replace the defaults of wasm hooks; what the file says goes before them. */
  limits?: Partial<Limits>;
}

/**
 * Reads a config file, and every wasm module in it, once.
 * @throws WasmhookError `config-unreadable`; everything else that is wrong is in `problems`.
 */
export async function loadConfig(file: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const absolute = resolve(file);
  const directory = dirname(absolute);
  const reading = await readRegularFile(absolute, MAX_CONFIG_BYTES);
  if ("fault" in reading) {
    const message = `${file} cannot be read, ${reading.cause}: name the agent's config file`;
    throw new WasmhookError("config-unreadable", message, { file: absolute });
  }
  const problems = new ProblemList(file);
  const text = decodeUtf8(reading.bytes, problems.reporter());
  const dialect = options.dialect ?? dialectOf(absolute, text ?? "");
  const limits = withLimits(DEFAULT_LIMITS, options.limits ?? {});
  const context: FileContext = { directory, limits, modules: moduleReader(), problems };
  const reader = dialect === "mm" ? readMm : readMnemoai;
  const read = text === undefined ? undefined : await reader(text, context);
  return {
    file: absolute,
    directory,
    dialect,
    loaded: read !== undefined,
    ...(read ?? { hooks: [] }),
    problems: problems.inOrder(),
  };
}
