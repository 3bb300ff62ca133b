import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { WasmhookError } from "../../errors.js";
import { Callee } from "../callee.js";
import type { ProcessCall, ProcessMessage, ProcessReply } from "./messages.js";

const FILE = fileURLToPath(new URL("./sandbox-process.js", import.meta.url));

/**
 * A process of its own that holds a sandbox, without environment, arguments or standard streams. Calls may fail
 * as `out-of-memory` (what it may hold in all) or `worker-died` too.
 */
export class NodeProcess extends Callee<ProcessCall, ProcessReply> {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;

  /** @param execPath the Node that it runs on */
  constructor(execPath: string) {
    super();
    this.#child = fork(FILE, [], {
      execPath,
      execArgv: [],
      // For agents that are built on Electron, whose program is Node only when it is told so.
      env: { ELECTRON_RUN_AS_NODE: "1" },
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      // In a session of its own, so that no Ctrl-C reaches it. It ends when this process does.
      detached: true,
    });
    this.#child.on("message", (message: ProcessMessage) => this.#heard(message));
    this.#child.on("error", (error) => void this.end(died(error.message)));
    this.#exited = new Promise((resolve) => {
      this.#child.on("exit", (code, signal) => {
        resolve();
        void this.end(died(signal ?? `exit code ${code}`));
      });
    });
  }

  protected post(call: ProcessCall): void {
    this.#child.send(call, (error) => {
      if (error !== null) void this.end(died(error.message));
    });
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

  #heard(message: ProcessMessage): void {
    if ("heldBytes" in message) void this.end(tookTooMuch(message));
    else this.answered(message.reply);
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
