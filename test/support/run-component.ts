import { createHash } from "node:crypto";
import { mm } from "#src/dialects/mm";
import type { HookEvent } from "#src/hooks/event";
import type { Hook, Limits } from "#src/hooks/hook";
import type { JsonValue } from "#src/hooks/json";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { anyTool } from "#src/hooks/matcher";
import { ALL_GRANTS } from "#src/hooks/may";
import type { Answer } from "#src/runners/runner";
import { wasmRunner } from "#src/runners/wasm";
import { SandboxProcesses } from "#src/sandbox/process/sandbox-processes";

export interface Settings {
  config?: JsonValue;
  limits?: Partial<Limits>;
}

/** A component that events can be run through, in the product's own sandbox. Close it. */
export interface RunningComponent extends AsyncDisposable {
  run(event: HookEvent, settings?: Settings): Promise<Answer>;
}

export function runComponent(bytes: Uint8Array): RunningComponent {
  const runner = wasmRunner(new SandboxProcesses(), mm);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    run(event, { config = null, limits = {} } = {}) {
      const hook: Hook = {
        id: "hook",
        moment: event.event,
        matcher: anyTool(),
        runner: {
          kind: "wasm",
          wasm: "hook.wasm",
          file: "/hook.wasm",
          bytes,
          sha256,
          config,
          limits: { ...DEFAULT_LIMITS, ...limits },
        },
        onError: "warn",
        may: ALL_GRANTS,
      };
      return runner.run(hook, event);
    },
    [Symbol.asyncDispose]: () => runner.close(),
  };
}
