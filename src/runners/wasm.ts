import { aborted } from "../cut-short.js";
import type { Dialect, Reading } from "../dialects/dialect.js";
import { readDecision } from "../dialects/reading.js";
import { WasmhookError } from "../errors.js";
import type { HookEvent } from "../hooks/event.js";
import type { Hook, WasmSpec } from "../hooks/hook.js";
import { isCoreModule } from "../sandbox/inspect.js";
import type { GuestHost, SandboxRun } from "../sandbox/sandbox.js";
import type { Answer, Runner } from "./runner.js";

export interface WasmRunner extends Runner {
  /** Makes a hook's module ready to run. @throws WasmhookError that says why the module is refused. */
  prepare(hook: Hook): Promise<void>;
}

/**
 * Runs wasm hooks in a sandbox; each module is loaded at its first event, or by `prepare`.
 * @param dialect what a WASI command speaks; a component speaks the canonical one, whatever the agent
 */
export function wasmRunner<Module>(sandbox: GuestHost<Module>, dialect: Dialect): WasmRunner {
  return {
    async run(hook, event, signal) {
      const start = performance.now();
      const answer = await answerOf(sandbox, dialect, specOf(hook), event, signal);
      return { ...answer, durationMs: performance.now() - start };
    },
    async prepare(hook) {
      await load(sandbox, specOf(hook));
    },
    async close() {
      await sandbox.close();
    },
  };
}

function specOf({ id, runner }: Hook): WasmSpec {
  if (runner.kind !== "wasm") throw new TypeError(`${id} is no wasm hook`);
  return runner;
}

function load<Module>(sandbox: GuestHost<Module>, { bytes, sha256, limits }: WasmSpec): Promise<Module> {
  return sandbox.load(bytes, sha256, limits);
}

async function answerOf<Module>(
  sandbox: GuestHost<Module>,
  dialect: Dialect,
  spec: WasmSpec,
  event: HookEvent,
  signal: AbortSignal | undefined,
): Promise<Omit<Answer, "durationMs"> & Reading> {
  try {
    const module = await unlessAborted(load(sandbox, spec), signal);
    const config = JSON.stringify(spec.config);
    const run = await sandbox.run(module, {
      event: isCoreModule(spec.bytes) ? dialect.encodeStdin(event) : JSON.stringify(event),
      config,
      limits: spec.limits,
      signal,
    });
    return { ...figures(run), ...decided(run, dialect, event) };
  } catch (failure) {
    if (!(failure instanceof WasmhookError)) throw failure;
    return { failure };
  }
}

function figures({
  fuelUsed,
  peakMemoryBytes,
  logs,
}: SandboxRun): Pick<Answer, "fuel" | "peakMemoryBytes" | "logs"> {
  return {
    ...(fuelUsed === undefined ? {} : { fuel: fuelUsed }),
    ...(peakMemoryBytes === undefined ? {} : { peakMemoryBytes }),
    ...(logs.length === 0 ? {} : { logs }),
  };
}

function decided({ result }: SandboxRun, dialect: Dialect, event: HookEvent): Reading {
  if ("failure" in result) return result;
  return "exit" in result ? dialect.readCommand(result.exit, event) : readDecision(result.ok, event.event);
}

/** Waits for what goes on by itself, such as a load that other hooks may wait for too, until the signal. */
async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await waited;
  let abort = () => {};
  const untilAborted = new Promise<never>((_, reject) => {
    abort = () => reject(aborted());
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([untilAborted, waited]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
