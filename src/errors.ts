/** What can go wrong, as a closed union: `code` says which, `data` holds what a caller needs. */
export interface ErrorData {
  // a hook failed while it ran
  "out-of-fuel": { fuelLimit: number };
  "out-of-memory": { memoryBytes: number };
  "output-too-large": { outputBytes: number };
  "stack-exhausted": Record<never, never>;
  trap: { trap: string };
  deadline: { deadlineMs: number };
  "guest-error": { guestMessage: string };
  "bad-decision": { field?: string };
  "bad-output": Record<never, never>;
  "command-failed": { exitCode: number | null; signal: string | null; stderr: string };
  "command-not-started": { cause: string };
  "worker-died": { cause: string };
  "matcher-failed": { cause: string };
  // a module is refused before it runs
  "wasm-missing": { file: string };
  "wasm-unreadable": { file: string; cause: string };
  "wasm-truncated": { offset: number };
  "module-refused": { offset?: number; limit?: string };
  "feature-refused": { offset?: number; feature: string };
  "name-refused": { name: string };
  "import-refused": { name: string };
  "core-module": Record<never, never>;
  "not-a-hook": { found: string[] };
  "version-refused": { found: string; spoken: string[] };
  "digest-mismatch": { expected: string; actual: string };
  "transpile-failed": { cause: string };
  // an event is refused
  "event-not-json": { line?: number; column?: number };
  "event-not-object": Record<never, never>;
  "event-unknown": { found: string };
  "event-without-tool": Record<never, never>;
  "event-too-large": { bytes: number; limitBytes: number };
  "bad-event": { field: string };
  // this program was used wrongly
  usage: Record<never, never>;
  "config-invalid": { problemCount: number };
  "config-unreadable": { file: string };
  "event-unreadable": { file: string };
  "expected-unreadable": { file: string };
  "file-unwritable": { cause: string };
  "cache-unusable": { cause: string };
  "build-failed": { cause: string };
  "tool-missing": { tool: string };
  closed: Record<never, never>;
  aborted: Record<never, never>;
}

export type ErrorCode = keyof ErrorData;

/**
 * The one error class of this package. The message is a sentence that says what happened and what to do;
 * it is safe to show to a user, and carries no stack of ours.
 */
export class WasmhookError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "WasmhookError";
  readonly code: C;
  readonly data: ErrorData[C];

  constructor(code: C, message: string, data: ErrorData[C]) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
