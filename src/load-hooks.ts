import { setMaxListeners } from "node:events";
import { type LoadedConfig, loadConfig } from "./config/load-config.js";
import type { Problem } from "./config/problem.js";
import { shownBanner, shownListing } from "./config/shown.js";
import { aborted, closed } from "./cut-short.js";
import type { Dialect, DialectName } from "./dialects/dialect.js";
import { dialectNamed } from "./dialects/dialects.js";
import { WasmhookError } from "./errors.js";
import { runChain } from "./hooks/chain.js";
import { checkLimits } from "./hooks/check-limits.js";
import type { HookEvent } from "./hooks/event.js";
import type { Fold } from "./hooks/fold.js";
import type { Hook, Limits } from "./hooks/hook.js";
import type { Notice, Outcome, Run } from "./hooks/outcome.js";
import { snapshotEvent } from "./hooks/snapshot-event.js";
import { type AuditOptions, auditor } from "./observe/audit.js";
import { type Observer, observers } from "./observe/observer.js";
import { openTelemetry } from "./observe/open-telemetry.js";
import { brokenRunner } from "./runners/broken.js";
import { commandRunner } from "./runners/command.js";
import type { Runner } from "./runners/runner.js";
import { type WasmRunner, wasmRunner } from "./runners/wasm.js";
import { userCache } from "./sandbox/cache/user-cache.js";
import { SandboxProcesses } from "./sandbox/process/sandbox-processes.js";
import { Sandbox } from "./sandbox/sandbox.js";

export interface LoadHooksOptions {
  /** Told by the file where it is not given. */
  dialect?: DialectName;
  /**
   * Defaults for the limits of every wasm hook, whole numbers in the ranges that the file's keys have; what the
   * file says goes before them.
   */
  limits?: Partial<Limits>;
  /**
   * Where wasm hooks run. `process`, the default: in processes of their own, so that not even what kills the
   * engine reaches this one. `thread`: in threads of this process, which start sooner; for a process whose
   * engine compiles without optimising (`--liftoff-only`), since its optimiser can be made to take all memory.
   */
  isolation?: "process" | "thread";
  /** Told of each hook that ran, as soon as it has, with the event as it saw it. */
  onRun?: (run: Run, event: HookEvent) => void;
  /** Told of each notice for the user, as soon as there is one; outcomes hold them all too. */
  onNotice?: (notice: Notice) => void;
  /** A file to which a line of JSON is appended for each hook that ran. */
  audit?: string | AuditOptions;
  /** The Node that wasm hooks run on, of 20.19 or later, where this process is no plain Node itself. */
  execPath?: string;
}

export interface RunOptions {
  /** Ends the run: see `Hooks.run`. */
  signal?: AbortSignal | null | undefined;
}

/** A config file as it was when it was read, and all that runs its hooks. */
export interface Hooks extends AsyncDisposable {
  readonly hooks: readonly Hook[];
  /** What is wrong with the file. An `mm` file with a problem does not load; elsewhere the rest still runs. */
  readonly problems: readonly Problem[];
  readonly config: LoadedConfig;
  /** What the agent's banner ends with, such as `hooks: preToolCall×1`; empty where there are no hooks. */
  readonly banner: string;
  /** What the agent's `/hooks` command shows. */
  readonly listing: string;
  /**
   * Runs the chain for one event, which may be in any order and at the same time as others.
   * The event is copied as JSON at once; what the caller does to it afterwards has no effect.
   * @param options `signal`: when it aborts, the hook that runs is ended, no further hook starts, and the run
   * rejects with `aborted`. So it does with `closed` when `close()` comes during a run: what was cut short never
   * resolves, not even to what it had decided so far.
   * @throws WasmhookError for an event that is none (`bad-event`, `event-*`; `event-too-large` from 16 MiB on, as
   * UTF-8), `config-invalid` where the file did not load, `usage` for a signal that is none, `aborted` and
   * `closed`; never for what a hook did.
   */
  run(event: HookEvent, options?: RunOptions | null): Promise<Outcome>;
  /** Makes a wasm hook ready to run; what is wrong with it is thrown as a WasmhookError. */
  prepare(hook: Hook): Promise<void>;
  /** Ends every process, worker and timer that running the hooks has started. */
  close(): Promise<void>;
}

/**
 * Reads a config file and every wasm module in it, once. What modules were made ready to run is kept in the user's
 * cache, which `WASMHOOK_CACHE_DIR` puts elsewhere, or, where it is empty, turns off.
 * @throws WasmhookError `config-unreadable`, or `usage` for limits or an `audit` that are none; everything else that is wrong is
 * in `problems`.
 */
export async function loadHooks(file: string, options: LoadHooksOptions = {}): Promise<Hooks> {
  const observer = await observerOf(options);
  return hooksOf(
    await loadConfig(file, { ...options, limits: checkLimits(options.limits) }),
    options,
    observer,
  );
}

/** All that runs the hooks of a config file as it was read. */
export function hooksOf(
  config: LoadedConfig,
  options: Pick<LoadHooksOptions, "isolation" | "execPath"> = {},
  observer = observers([]),
): Hooks {
  const dialect = dialectNamed(config.dialect);
  const wasm = wasmRunnerOf(options, dialect);
  const command = commandRunner(dialect, config.directory);
  const runners: Record<Hook["runner"]["kind"], Runner> = { command, wasm, broken: brokenRunner };
  let isClosed = false;

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all([command.close(), wasm.close()]);
    await observer.close();
  }

  return {
    hooks: config.hooks,
    problems: config.problems,
    config,
    // Not before they are asked for: formatting numbers takes the engine some time, the first time.
    get banner() {
      return shownBanner(config);
    },
    get listing() {
      return shownListing(config);
    },
    async run(event, options) {
      const signal = signalOf(options);
      const refuseCutShort = () => {
        if (isClosed) throw closed();
        if (signal?.aborted) throw aborted();
      };
      refuseCutShort();
      requireLoaded(config);
      const runHook = async (hook: Hook, seen: HookEvent) => {
        refuseCutShort();
        const answer = await runners[hook.runner.kind].run(hook, seen, signal);
        refuseCutShort();
        return answer;
      };
      return runChain(config.hooks, snapshotEvent(event), runHook, (before, after) => {
        tellStep(observer, before, after);
      });
    },
    async prepare(hook) {
      if (hook.runner.kind === "broken") throw hook.runner.failure;
      if (hook.runner.kind === "wasm") await wasm.prepare(hook);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function observerOf({ onRun, onNotice, audit }: LoadHooksOptions): Promise<Required<Observer>> {
  const own: Observer = {
    ...(onRun === undefined ? {} : { run: onRun }),
    ...(onNotice === undefined ? {} : { notice: onNotice }),
  };
  const all = [own, await openTelemetry()];
  if (audit !== undefined) all.push(auditor(audit, (notice) => observers([own]).notice(notice)));
  return observers(all.filter((one) => one !== undefined));
}

/** What one hook added to the fold. */
function tellStep(observer: Required<Observer>, before: Fold, { outcome }: Fold): void {
  const run = outcome.runs.at(-1);
  const reason = outcome.decision === before.outcome.decision ? undefined : outcome.reason;
  if (run !== undefined) observer.run(run, before.event, reason);
  for (const notice of outcome.notices.slice(before.outcome.notices.length)) observer.notice(notice);
}

function wasmRunnerOf(
  { isolation, execPath }: Pick<LoadHooksOptions, "isolation" | "execPath">,
  dialect: Dialect,
): WasmRunner {
  const cache = userCache();
  if (isolation === "thread") return wasmRunner(new Sandbox({ cache }), dialect);
  return wasmRunner(new SandboxProcesses({ execPath, cache }), dialect);
}

/** @throws WasmhookError `usage`, where an embedder's mistake would leave a run that nothing can end. */
function signalOf(options: RunOptions | null | undefined): AbortSignal | undefined {
  const signal = options?.signal ?? undefined;
  if (signal === undefined) return undefined;
  if (signal instanceof AbortSignal) {
    // Many runs may share one, and Node warns of many listeners as of a leak.
    setMaxListeners(0, signal);
    return signal;
  }
  throw new WasmhookError("usage", '"signal" is no AbortSignal: give that of an AbortController', {});
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
