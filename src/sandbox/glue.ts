import { WasmhookError } from "../errors.js";

/** A core module as `instantiateCore` is handed it. */
export type InstantiateCore<M> = (
  module: M,
  imports?: WebAssembly.Imports,
) => { exports: WebAssembly.Exports };

/** What the transpiler's `instantiation: sync` generates: instantiates the core modules and links them. */
export type Instantiate<M> = (
  getCoreModule: (name: string) => M,
  imports: WebAssembly.Imports,
  instantiateCore: InstantiateCore<M>,
) => Record<string, Record<string, (...args: unknown[]) => unknown>>;

/** The globals that glue reads beside the language's own. */
export interface GlueRealm {
  TextDecoder: unknown;
  TextEncoder: unknown;
}

/** Makes the `instantiate` of one run. */
export type Glue<M> = (realm: GlueRealm) => Instantiate<M>;

const HEAD = '"use components";\nexport function instantiate(';
const TAIL = "\nexport const _util = {";

/**
 * Rewrites the generated ES module as an expression for a script, so that it can be evaluated without a
 * module loader, in any realm, and closed over other globals in each run.
 */
export function glueExpression(module: string): string {
  const tail = module.lastIndexOf(TAIL);
  if (!module.startsWith(HEAD) || tail === -1) {
    const cause = "the transpiler's output has an unknown form";
    throw new WasmhookError(
      "transpile-failed",
      `the component cannot be prepared (${cause}): use the transpiler that this package asks for`,
      { cause },
    );
  }
  const body = `function instantiate(${module.slice(HEAD.length, tail)}`;
  return `(function (realm) { "use strict"; const { TextDecoder, TextEncoder } = realm;\n${body}\nreturn instantiate; })`;
}
