import type { CommandSpec, DeclaredKind, WasmSpec } from "../hooks/hook.js";
import { DEFAULT_COMMAND_TIMEOUT_MS, withLimits } from "../hooks/limits.js";
import { isCoreModule } from "../sandbox/inspect.js";
import type { FileContext } from "./file-context.js";
import { textOf } from "./keys.js";
import { readLimits } from "./limit-keys.js";
import { readModule } from "./module-keys.js";
import type { Report } from "./problem.js";
import { type MapNode, toJson } from "./tree.js";

const WASM_ONLY = ["config", "limits", "sha256"];

/**
 * The runner of a hook, its module read and checked. Whether the key that names it is there, the dialect says.
 * @param timeoutMs the hook's own `timeout`
 * @returns undefined where it cannot run
 */
export async function readRunner(
  hook: MapNode,
  kind: DeclaredKind,
  timeoutMs: number | undefined,
  context: FileContext,
  report: Report,
): Promise<CommandSpec | WasmSpec | undefined> {
  return kind === "wasm" ? readWasm(hook, timeoutMs, context, report) : readCommand(hook, timeoutMs, report);
}

function readCommand(hook: MapNode, timeoutMs: number | undefined, report: Report): CommandSpec | undefined {
  for (const key of WASM_ONLY) {
    const entry = hook.entries.get(key);
    if (entry === undefined) continue;
    report("wasm-only-key", entry.keyAt, `"${key}" is for wasm hooks, and this is a command: remove it`);
  }
  const entry = hook.entries.get("command");
  const command = entry && textOf(entry, report);
  return command === undefined
    ? undefined
    : { kind: "command", command, timeoutMs: timeoutMs ?? DEFAULT_COMMAND_TIMEOUT_MS };
}

async function readWasm(
  hook: MapNode,
  timeoutMs: number | undefined,
  context: FileContext,
  report: Report,
): Promise<WasmSpec | undefined> {
  const own = readLimits(hook.entries.get("limits"), report);
  const timeout = hook.entries.get("timeout");
  if (timeout !== undefined && own.deadlineMs !== undefined) {
    report(
      "two-deadlines",
      timeout.keyAt,
      '"timeout" and "deadline" under "limits" are the same here: keep one',
    );
  }
  const config = hook.entries.get("config");
  const configJson = config === undefined ? null : toJson(config.value, report);
  const deadline = timeoutMs === undefined ? {} : { deadlineMs: timeoutMs };
  const limits = withLimits(context.limits, { ...own, ...deadline });
  const module = await readModule(hook, limits, context, report);
  if (module === undefined) return undefined;
  if (config !== undefined && isCoreModule(module.bytes)) {
    report(
      "component-only-key",
      config.keyAt,
      '"config" is for components, and this module is a WASI command, which cannot read it: remove it',
    );
  }
  return { kind: "wasm", ...module, config: configJson, limits };
}
