import { compileArtefact } from "../artefact.js";
import { readCoreModule } from "../binary/core-module.js";
import { compileCore, meterCore } from "../compile-core.js";
import { inspect } from "../inspect.js";
import { type GuestReport, type GuestRequest, runGuest } from "../instance.js";
import { linkPlan } from "../link/link-plan.js";
import { pagesIn, TABLE_ELEMENTS_LIMIT } from "../tank.js";
import { commandPlan } from "../wasi/preview1/command-plan.js";
import type { CallNode } from "./call-tree.js";
import { functionNames } from "./function-names.js";
import { ProfilingHost } from "./profiling-host.js";
import { wrapFunctions } from "./wrap-functions.js";

/** Where the fuel of one run went. */
export interface Profile {
  /** As of a run without a profile, its fuel too. */
  readonly report: GuestReport;
  /** By the numbers in `root`. */
  readonly functions: readonly string[];
  /** The host, and what it called. */
  readonly root: CallNode;
}

/**
 * Runs one event in a fresh instance whose functions tell of their calls. Nested calls take twice the stack.
 * @throws WasmhookError that says why the module is refused
 */
export function profileGuest(bytes: Uint8Array, request: GuestRequest): Profile {
  const { limits } = request;
  const { kind, modules } = inspect(bytes, limits.module);
  const plan = kind === "command" ? commandPlan(bytes) : linkPlan(bytes, limits.module);
  const throws = modules.some(({ tags }) => tags > 0);
  const functions: string[] = [];
  const wrapperFuel: number[] = [];
  const caps = { memoryPages: pagesIn(limits.memoryBytes), tableElements: TABLE_ELEMENTS_LIMIT };
  const cores = plan.modules.map(({ start, end }, number) => {
    const source = bytes.subarray(start, end);
    const module = readCoreModule(source);
    const wrapped = wrapFunctions(module, functions.length, throws);
    if (wrapped === undefined) return { source, core: meterCore(source, caps, throws) };
    const where = plan.modules.length > 1 ? ` (module ${number})` : "";
    functions.push(...functionNames(module).map((name) => (name.startsWith("func ") ? name + where : name)));
    wrapperFuel.push(...wrapped.wrapperFuel);
    return { source, core: meterCore(wrapped.bytes, caps, throws) };
  });
  const artefact = { plan, cores: cores.map(({ core }) => core) };
  const guest = compileArtefact(artefact, (core, index) => compileCore(core, cores[index]?.source ?? bytes));
  const host = new ProfilingHost(limits, request.config, wrapperFuel);
  const report = runGuest(guest, request, host);
  host.tree.end(report.fuelUsed);
  return { report, functions, root: host.tree.root };
}
