import { WasmhookError } from "../../errors.js";
import type { ArtefactCache } from "../cache/artefact-cache.js";
import { overrun } from "../callee.js";
import { LoadOnce } from "../load-once.js";
import { isTransient, LOAD_DEADLINE_MS, loadOverrun } from "../loader.js";
import { defaultGuestWorkers } from "../node-worker.js";
import { Pool } from "../pool.js";
import { fromPortable } from "../portable-error.js";
import {
  eventOverLimit,
  type GuestHost,
  type LoadLimits,
  moduleId,
  type RunRequest,
  type SandboxRun,
} from "../sandbox.js";
import { Turns } from "../turns.js";
import type { ModuleSource, ProcessCall, ProcessReply } from "./messages.js";
import { NodeProcess } from "./node-process.js";
import { ownNode } from "./own-node.js";

/** Over all hooks of this process, however many files were loaded: so many guests run at once. */
const TURNS = new Turns(defaultGuestWorkers());

/** What a process holds is given back after this long without an event. */
const IDLE_MS = 5 * 60_000;

/** The engine keeps something of every module that it ever compiled, and gives up at some number of types. */
const MODULES_PER_PROCESS = 100;

/** Beyond a sandbox's own deadlines, after which its process is taken to be stuck as a whole. */
const GRACE_MS = 2_000;

export interface SandboxProcessesOptions {
  /** The Node that guests run on; where it is not given the one that runs this. */
  execPath?: string | undefined;
  turns?: Turns;
  /** So many are loaded into one process before another takes its place. */
  modulesPerProcess?: number;
  /** As that of a `Sandbox`. */
  cache?: ArtefactCache | undefined;
}

/** A module whose bytes are sent to each process that shall run it. */
export interface SentModule {
  readonly id: string;
  readonly source: ModuleSource;
}

/**
 * Runs untrusted guests in processes of their own, each with a `Sandbox` for one guest at a time: so that
 * not even what kills the engine, or makes its compilers take all memory, reaches this process.
 */
export class SandboxProcesses implements GuestHost<SentModule> {
  readonly #pool: Pool<ProcessCall, ProcessReply>;
  readonly #modules = new LoadOnce<SentModule>();

  constructor({
    execPath,
    turns = TURNS,
    modulesPerProcess = MODULES_PER_PROCESS,
    cache,
  }: SandboxProcessesOptions = {}) {
    this.#pool = new Pool({
      turns,
      start: () => new NodeProcess(execPath ?? ownNode(), cache?.folder),
      mayBeOthers: ({ code }) => code === "worker-died" || code === "out-of-memory",
      reusable: (reply, keys) => keys < modulesPerProcess && isSound(reply),
      idleMs: IDLE_MS,
    });
  }

  load(bytes: Uint8Array, sha256: string, limits: LoadLimits): Promise<SentModule> {
    const module = { id: moduleId(sha256, limits), source: { bytes, sha256, limits } };
    return this.#modules.get(module.id, async () => {
      const { result } = await this.#call(module, undefined, undefined);
      if ("failure" in result) throw result.failure;
      return module;
    });
  }

  async run(module: SentModule, { signal, ...request }: RunRequest): Promise<SandboxRun> {
    const tooLarge = eventOverLimit(request.event);
    if (tooLarge !== undefined) return tooLarge;
    const start = performance.now();
    try {
      return await this.#call(module, request, signal);
    } catch (failure) {
      if (!(failure instanceof WasmhookError)) throw failure;
      return { result: { failure }, logs: [], durationMs: performance.now() - start };
    }
  }

  /** Ends all processes; what is under way fails as `closed`. Resolves when none is left. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #call(
    { id, source }: SentModule,
    request: ProcessCall["request"],
    signal: AbortSignal | undefined,
  ): Promise<SandboxRun> {
    const runMs = request?.limits.deadlineMs ?? 0;
    const callFor = (known: boolean) => ({
      message: { id, source: known ? undefined : source, request },
      deadlineMs: (known ? 0 : LOAD_DEADLINE_MS) + runMs + GRACE_MS,
    });
    try {
      const { reply } = await this.#pool.call(id, callFor, signal);
      const { result } = reply;
      return { ...reply, result: "failure" in result ? { failure: fromPortable(result.failure) } : result };
    } catch (failure) {
      if (!(failure instanceof WasmhookError) || failure.code !== "deadline") throw failure;
      // In words that are true of the hook's own limit, or of the load's.
      throw request === undefined ? loadOverrun() : overrun(runMs);
    }
  }
}

/** Whether nothing happened that may have left the process damaged, or busy. */
function isSound({ result }: ProcessReply): boolean {
  return !("failure" in result) || !isTransient(result.failure);
}
