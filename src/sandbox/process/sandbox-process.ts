import { readSync } from "node:fs";
import { WasmhookError } from "../../errors.js";
import type { Limits } from "../../hooks/hook.js";
import { ArtefactCache } from "../cache/artefact-cache.js";
import { toPortable } from "../portable-error.js";
import { Sandbox, type SandboxModule, type SandboxRun } from "../sandbox.js";
import { type MessageToProcess, MODULE_FD, type ProcessMessage, type ProcessReply } from "./messages.js";
import { ProcessWatch } from "./process-watch.js";

// A process of its own for a sandbox: what kills an engine, or makes it take all memory, ends no more than this.

const MIB = 1024 * 1024;
/** For an event, and for the engine's compilers. */
const WORK_BYTES = 176 * MIB;
/** On top of that, while there is no guest: for a module of the largest size, rewritten and compiled. */
const LOAD_BYTES = 64 * MIB;
/** Of a byte of output or log: it is in the guest's memory, and a text in several places, some of them wide. */
const COPIES = 8;

const [, , cacheFolder] = process.argv;
const cache = cacheFolder === undefined ? undefined : new ArtefactCache(cacheFolder);
const sandbox = new Sandbox({ workers: 1, ownsBytes: true, cache });
const modules = new Map<string, SandboxModule>();
const watch = new ProcessWatch({
  onExcess: (heldBytes, limitBytes) =>
    say({ heldBytes, limitBytes }, () => process.kill(process.pid, "SIGKILL")),
  onQuiet: () => say({ isQuiet: true }),
  onLaden: () => say({ isQuiet: false }),
});

function say(message: ProcessMessage, said?: () => void): void {
  process.send?.(message, undefined, undefined, said);
}

/** The bytes that come through the modules' pipe. Whoever sends them ends this process where there is no end to it. */
function receive(byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  for (let offset = 0; offset < byteLength; ) {
    const count = readSync(MODULE_FD, bytes, offset, byteLength - offset, null);
    if (count === 0) process.exit();
    offset += count;
  }
  return bytes;
}

async function moduleOf({ id, source }: MessageToProcess): Promise<SandboxModule> {
  const known = modules.get(id);
  if (known !== undefined) return known;
  if (source === undefined) throw new Error(`the module ${id} was never sent`);
  const module = await sandbox.load(receive(source.byteLength), source.sha256, source.limits);
  modules.set(id, module);
  return module;
}

async function run(call: MessageToProcess): Promise<SandboxRun> {
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

async function answer(call: MessageToProcess): Promise<ProcessReply> {
  const { result, ...rest } = await run(call);
  return { ...rest, result: "failure" in result ? { failure: toPortable(result.failure) } : result };
}

/** What a run may hold by its own limits, or a load. */
function bytesOf(limits: Limits | undefined): number {
  if (limits === undefined) return LOAD_BYTES;
  return limits.memoryBytes + COPIES * (limits.outputBytes + limits.logsBytes);
}

process.on("disconnect", () => process.exit());
process.on("message", async (call: MessageToProcess) => {
  watch.begin(WORK_BYTES + bytesOf(call.request?.limits));
  const reply = await answer(call);
  watch.end();
  say({ reply });
});
say({ reply: "ready" });
