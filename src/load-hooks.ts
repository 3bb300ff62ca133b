import { type LoadedConfig, loadConfig } from "./config/load-config.js";
import type { Problem } from "./config/problem.js";
import type { DialectName } from "./dialects/dialect.js";
import { dialectNamed } from "./dialects/dialects.js";
import { WasmhookError } from "./errors.js";
import { runChain } from "./hooks/chain.js";
import type { HookEvent } from "./hooks/event.js";
import type { Hook, Limits } from "./hooks/hook.js";
import type { Outcome } from "./hooks/outcome.js";
import { parseEvent } from "./hooks/parse-event.js";
import { commandRunner } from "./runners/command.js";
import type { Runner } from "./runners/runner.js";
import { wasmRunner } from "./runners/wasm.js";

export interface LoadHooksOptions {
  /** Told by the file where it is not given. */
  dialect?: DialectName;
  /** Defaults for the limits of every wasm hook; what the file says goes before them. */
  limits?: Partial<Limits>;
}

/** A config file as it was when it was read, and all that runs its hooks. */
export interface Hooks extends AsyncDisposable {
  readonly hooks: readonly Hook[];
  /** What is wrong with the file. An `mm` file with a problem does not load; elsewhere the rest still runs. */
  readonly problems: readonly Problem[];
  readonly config: LoadedConfig;
  /**
   * Runs the chain for one event, which may be in any order and at the same time as others.
   * @throws WasmhookError for an event that is none, `config-invalid` where the file did not load, and `closed`
   * after `close()`; never for what a hook did.
   */
  run(event: HookEvent, options?: { signal?: AbortSignal }): Promise<Outcome>;
  /** Makes a wasm hook ready to run; what is wrong with it is thrown as a WasmhookError. */
  prepare(hook: Hook): Promise<void>;
  /** Ends every process, worker and timer that running the hooks has started. */
  close(): Promise<void>;
}

/**
 * Reads a config file and every wasm module in it, once.
 * @throws WasmhookError `config-unreadable`; everything else that is wrong is in `problems`.
 */
export async function loadHooks(file: string, options: LoadHooksOptions = {}): Promise<Hooks> {
  const config = await loadConfig(file, options);
  const wasm = wasmRunner();
  const command = commandRunner(dialectNamed(config.dialect), config.directory);
  const runners: Record<Hook["runner"]["kind"], Runner> = { command, wasm };
  let closed = false;

  async function close(): Promise<void> {
    closed = true;
    await Promise.all([command.close(), wasm.close()]);
  }

  return {
    hooks: config.hooks,
    problems: config.problems,
    config,
    async run(event, { signal } = {}) {
      if (closed)
        throw new WasmhookError("closed", "these hooks are closed: load them again to run an event", {});
      requireLoaded(config);
      const checked = parseEvent(event);
      return runChain(config.hooks, checked, (hook, seen) =>
        runners[hook.runner.kind].run(hook, seen, signal),
      );
    },
    async prepare(hook) {
      if (hook.runner.kind === "wasm") await wasm.prepare(hook);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * A file that did not load could hide a guard, so that no event may pass for its having none.
 * @throws WasmhookError `config-invalid`
 */
export function requireLoaded({ loaded, file, problems }: LoadedConfig): void {
  if (loaded) return;
  const message = `${file} was not loaded: mend its ${problems.length} problem(s)`;
  throw new WasmhookError("config-invalid", message, { problemCount: problems.length });
}
