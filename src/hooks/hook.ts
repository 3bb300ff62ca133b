import type { WasmhookError } from "../errors.js";
import type { Moment } from "./event.js";
import type { JsonValue } from "./json.js";
import type { Matcher } from "./matcher.js";
import type { Grant } from "./may.js";
import type { ModuleLimits } from "./module-limits.js";

/** What a failed hook does to the turn: deny or stop it, tell the user, or nothing. */
export type OnError = "fail" | "warn" | "ignore";

/** Limits of one wasm run. Every figure has a default in `limits.ts`. */
export interface RunLimits {
  /** Units of fuel: executed wasm instructions. */
  fuel: number;
  /** Linear memory over all memories of the guest. */
  memoryBytes: number;
  /** The decision's JSON, as UTF-8. */
  outputBytes: number;
  /** All log messages together, as UTF-8. */
  logsBytes: number;
  /** Wall clock, the backstop behind the fuel. */
  deadlineMs: number;
}

/** Limits of a wasm hook. */
export interface Limits extends RunLimits {
  /** What its module may have at all; those left out are as in `module-limits.ts`. */
  module?: Partial<ModuleLimits>;
}

export interface CommandSpec {
  kind: "command";
  /** The command line, for the dialect's shell. */
  command: string;
  timeoutMs: number;
}

export interface WasmSpec {
  kind: "wasm";
  /** The path as it is written in the config file. */
  wasm: string;
  /** The absolute path it was read from. */
  file: string;
  /** The bytes as they were when the config was read: what was approved is what runs. */
  bytes: Uint8Array;
  /** Lower-case hexadecimal SHA-256 of `bytes`. */
  sha256: string;
  /** The hook's own `config:` block; `null` where there is none. */
  config: JsonValue;
  limits: Limits;
}

/** A hook that cannot run for what its file says, and whose failure must be no silence: it fails on every event. */
export interface BrokenSpec {
  kind: "broken";
  declared: DeclaredKind;
  /** The command line, or the module's path, as far as there is one. */
  label: string;
  failure: WasmhookError;
}

export type DeclaredKind = (CommandSpec | WasmSpec)["kind"];

/** One declaration: a matcher, a runner, limits, `onError` and `may`. */
export interface Hook {
  /** Where it stands in its file, such as `preToolCall[0]` or `PreToolUse[0].hooks[1]`. */
  id: string;
  moment: Moment;
  /** On `postToolCall`: only for a call that succeeded, or only for one that failed. */
  when?: "success" | "failure";
  matcher: Matcher;
  runner: CommandSpec | WasmSpec | BrokenSpec;
  onError: OnError;
  may: ReadonlySet<Grant>;
}

/** A short name of a hook for people: the command line, or the module's path as written. */
export function hookLabel(hook: Hook): string {
  const { runner } = hook;
  if (runner.kind === "broken") return runner.label;
  return runner.kind === "command" ? runner.command : runner.wasm;
}

/** What a hook was declared to be, whether it can run or not. */
export function declaredKind({ runner }: Hook): DeclaredKind {
  return runner.kind === "broken" ? runner.declared : runner.kind;
}
