import { WasmhookError } from "../../errors.js";
import type { Limits } from "../../hooks/hook.js";
import { toPortable } from "../portable-error.js";
import { Sandbox, type SandboxModule, type SandboxRun } from "../sandbox.js";
import { MemoryWatch } from "./memory-watch.js";
import type { ProcessCall, ProcessMessage, ProcessReply } from "./messages.js";

// A process of its own for a sandbox: what kills an engine, or makes it take all memory, ends no more than this.

/** For an event, for what is loaded, and for the engine's compilers. */
const WORK_BYTES = 192 * 1024 * 1024;
/** Of a byte of output or log: it is in the guest's memory, and a text in several places, some of them wide. */
const COPIES = 8;

const sandbox = new Sandbox({ workers: 1 });
const modules = new Map<string, SandboxModule>();
const watch = new MemoryWatch((heldBytes, limitBytes) =>
  say({ heldBytes, limitBytes }, () => process.kill(process.pid, "SIGKILL")),
);

function say(message: ProcessMessage, said?: () => void): void {
  process.send?.(message, undefined, undefined, said);
}

async function moduleOf({ id, source }: ProcessCall): Promise<SandboxModule> {
  const known = modules.get(id);
  if (known !== undefined) return known;
  if (source === undefined) throw new Error(`the module ${id} was never sent`);
  const module = await sandbox.load(source.bytes, source.sha256, source.limits);
  modules.set(id, module);
  return module;
}

async function run(call: ProcessCall): Promise<SandboxRun> {
  const ended = { logs: [], durationMs: 0 };
  try {
    const module = await moduleOf(call);
    return call.request === undefined
      ? { ...ended, result: { ok: "" } }
      : await sandbox.run(module, call.request);
  } catch (failure) {
    // Anything else ends this process, which is what tells the other side.
    if (!(failure instanceof WasmhookError)) throw failure;
    return { ...ended, result: { failure } };
  }
}

async function answer(call: ProcessCall): Promise<ProcessReply> {
  const { result, ...rest } = await run(call);
  return { ...rest, result: "ok" in result ? result : { failure: toPortable(result.failure) } };
}

/** What a run may hold by its own limits. */
function bytesOf(limits: Limits | undefined): number {
  if (limits === undefined) return 0;
  return limits.memoryBytes + COPIES * (limits.outputBytes + limits.logsBytes);
}

process.on("disconnect", () => process.exit());
process.on("message", async (call: ProcessCall) => {
  watch.begin(WORK_BYTES + bytesOf(call.request?.limits));
  const reply = await answer(call);
  watch.end();
  say({ reply });
});
say({ reply: "ready" });
