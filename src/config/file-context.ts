import type { Limits } from "../hooks/hook.js";
import type { ProblemList } from "./problem.js";
import type { ModuleReader } from "./wasm-file.js";

/** What the hooks of one config file are read with. */
export interface FileContext {
  /** The config file's directory, absolute. */
  directory: string;
  /** Limits of a wasm hook that sets none of its own. */
  limits: Limits;
  modules: ModuleReader;
  problems: ProblemList;
  /** Replaces the variables that the dialect has in a `wasm:` path. */
  expandPath?(path: string): string;
}
