import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { WasmhookError } from "../../errors.js";
import { Callee } from "../callee.js";
import {
  type MessageToProcess,
  MODULE_FD,
  type ProcessCall,
  type ProcessMessage,
  type ProcessReply,
} from "./messages.js";

/** A process that is quiet says so a few milliseconds after its answer. */
const QUIET_WAIT_MS = 50;
const FILE = fileURLToPath(new URL("./sandbox-process.js", import.meta.url));

/**
 * A process of its own that holds a sandbox, without environment or standard streams. Calls may fail as
 * `out-of-memory` (what it may hold in all) or `worker-died` too.
 */
export class NodeProcess extends Callee<ProcessCall, ProcessReply> {
  readonly #child: ChildProcess;
  /** Not there where the process could not be started. */
  readonly #modules: Socket | undefined;
  readonly #exited: Promise<void>;
  #isQuiet = true;
  #onQuiet = () => {};

  /**
   * @param execPath the Node that it runs on
   * @param cacheFolder where modules are kept that are ready to run; nowhere, unless it is given
   */
  constructor(execPath: string, cacheFolder?: string) {
    super();
    this.#child = fork(FILE, cacheFolder === undefined ? [] : [cacheFolder], {
      execPath,
      // One thread for the engine's compilers: more would take a hostile guest's time from it, and multiply memory.
      execArgv: ["--v8-pool-size=1"],
      // For agents that are built on Electron, whose program is Node only when it is told so.
      env: { ELECTRON_RUN_AS_NODE: "1" },
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore", "ipc", "pipe"],
      serialization: "advanced",
      // In a session of its own, so that no Ctrl-C reaches it. It ends when this process does.
      detached: true,
    });
    this.#modules = this.#child.stdio[MODULE_FD] as Socket | undefined;
    this.#modules?.on("error", (error) => void this.end(died(error.message)));
    this.#modules?.unref();
    this.#child.on("message", (message: ProcessMessage) => this.#heard(message));
    this.#child.on("error", (error) => void this.end(died(error.message)));
    this.#exited = new Promise((resolve) => {
      this.#child.on("exit", (code, signal) => {
        resolve();
        void this.end(died(signal ?? `exit code ${code}`));
      });
    });
  }

  /** Whether nothing goes on behind its answer, such as compilations that would keep the next module waiting. */
  override async isQuiet(): Promise<boolean> {
    if (this.#isQuiet) return true;
    return await new Promise((resolve) => {
      this.#onQuiet = () => resolve(true);
      setTimeout(resolve, QUIET_WAIT_MS, false);
    });
  }

  protected post({ source, ...call }: ProcessCall): void {
    this.#isQuiet = false;
    if (source === undefined) {
      this.#send({ ...call, source });
    } else {
      const { bytes, ...rest } = source;
      this.#send({ ...call, source: { ...rest, byteLength: bytes.length } });
      this.#modules?.write(bytes);
    }
  }

  protected async terminate(): Promise<void> {
    if (this.#child.pid === undefined) return;
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  protected hold(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  protected release(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #send(message: MessageToProcess): void {
    this.#child.send(message, (error) => {
      if (error !== null) void this.end(died(error.message));
    });
  }

  #quieten(): void {
    this.#isQuiet = true;
    this.#onQuiet();
  }

  #heard(message: ProcessMessage): void {
    if ("heldBytes" in message) void this.end(tookTooMuch(message));
    else if ("reply" in message) this.answered(message.reply);
    else if (this.isCalled) return;
    else if (message.isQuiet) this.#quieten();
    else void this.end(died("laden with work for nobody"));
  }
}

function died(cause: string): WasmhookError {
  const message = `the process that runs guests died (${cause}): the next event gets a new one`;
  return new WasmhookError("worker-died", message, { cause });
}

function tookTooMuch({ heldBytes, limitBytes }: { heldBytes: number; limitBytes: number }): WasmhookError {
  const message = `the process that runs the guest held ${heldBytes} bytes, over the ${limitBytes} that it may, and was ended: build a smaller or simpler module, or raise "memory"`;
  return new WasmhookError("out-of-memory", message, { memoryBytes: limitBytes });
}
