import type { JsonValue } from "wasmhook/types";

/** The `config:` block of this hook's declaration; `null` where it has none. */
export declare function config(): JsonValue;

/** Lines for the user, in the log of this run; the model never reads them. */
export declare const log: {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
};
