import type { ErrorCode } from "../errors.js";
import type { Position } from "./position.js";

/** What the file of a wasm hook can be refused for: the codes of `WasmhookError` for modules. */
export const MODULE_CODES = [
  "wasm-missing",
  "wasm-unreadable",
  "wasm-truncated",
  "module-refused",
  "feature-refused",
  "name-refused",
  "import-refused",
  "core-module",
  "not-a-hook",
  "version-refused",
  "digest-mismatch",
] as const satisfies readonly ErrorCode[];

export type ProblemCode =
  // the file as a whole
  | "not-utf8"
  | "yaml-syntax"
  | "json-syntax"
  | "duplicate-key"
  | "unknown-alias"
  | "too-deep"
  | "too-many-values"
  // keys and values
  | "unknown-key"
  | "unknown-event"
  | "bad-type"
  | "bad-value"
  // one hook
  | "no-runner"
  | "two-runners"
  | "unknown-type"
  | "bad-matcher"
  | "matcher-not-allowed"
  | "wasm-only-key"
  | "component-only-key"
  | "two-deadlines"
  // its module
  | (typeof MODULE_CODES)[number];

/** What is wrong in a config file, and where. */
export interface Problem {
  code: ProblemCode;
  /** The file, as the caller named it. */
  file: string;
  line?: number;
  column?: number;
  /** The `id` of the hook that it is about. */
  hook?: string;
  /** One sentence: what is wrong, and what to do. */
  message: string;
}

/** Notes one problem; without a position it is about the file as a whole. */
export type Report = (code: ProblemCode, at: Position | undefined, message: string) => void;

/** Collects the problems of one file. */
export class ProblemList {
  readonly #file: string;
  readonly #problems: Problem[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  get count(): number {
    return this.#problems.length;
  }

  /** The messages of all problems after the first `count`, as they were reported. */
  messagesSince(count: number): string[] {
    return this.#problems.slice(count).map(({ message }) => message);
  }

  /** Reports about one hook or, without an id, about the file. */
  reporter(hook?: string): Report {
    return (code, at, message) => {
      this.#problems.push({
        code,
        file: this.#file,
        ...at,
        ...(hook === undefined ? {} : { hook }),
        message,
      });
    };
  }

  /** All problems, in the order of the file. */
  inOrder(): Problem[] {
    return this.#problems.toSorted(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    );
  }
}
