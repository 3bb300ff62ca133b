import { WasmhookError } from "#src/errors";
import { type CoreModule, readCoreModule } from "#src/sandbox/binary/core-module";
import type { Constant } from "./constants.js";
import type { Outcome } from "./outcome.js";
import type { Step } from "./prepare.js";
import type { Action } from "./script.js";
import { spectest } from "./spectest.js";
import type { Value } from "./values.js";
import { run, wrapFunction, wrapGlobal } from "./wrapper.js";

/** How a machine compiles a module and what it adds to its imports. */
export interface Engine {
  readonly compile: (bytes: Uint8Array) => WebAssembly.Module;
  readonly imports: WebAssembly.Imports;
  /** Whether the last failure was that calls were nested too deep; the next may be nested as deep again. */
  readonly takeStackExhaustion?: () => boolean;
}

interface Loaded {
  readonly instance: WebAssembly.Instance;
  readonly source: CoreModule;
}

/** Runs the steps of one script, in order. */
export class Machine {
  private readonly engine: Engine;
  private readonly registered: WebAssembly.Imports = { spectest: spectest() };
  private readonly byId = new Map<string, Loaded | undefined>();
  private readonly definitions = new Map<string, Uint8Array>();
  private current: Loaded | undefined;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  async run(step: Step): Promise<Outcome> {
    const { command, bytes } = step;
    switch (command.kind) {
      case "definition":
        this.definitions.set(command.module.id ?? "", bytes ?? new Uint8Array());
        return bytes ? this.attempt(() => this.engine.compile(bytes)) : { kind: "skipped" };
      case "module":
        return this.load(bytes, command.module.id);
      case "instance":
        return this.load(this.definitions.get(command.definition ?? ""), command.id);
      case "register": {
        const loaded = command.id === undefined ? this.current : this.byId.get(command.id);
        if (loaded) this.registered[command.as] = loaded.instance.exports as Record<string, unknown>;
        return loaded ? { kind: "returned", values: [] } : { kind: "skipped" };
      }
      case "assert_trap_module":
      case "assert_unlinkable":
        return bytes ? this.attempt(() => this.instantiate(bytes)) : { kind: "skipped" };
      case "assert_invalid":
      case "assert_malformed":
        return bytes ? this.attempt(() => this.engine.compile(bytes)) : { kind: "skipped" };
      default:
        return await this.act(command.action, step.args);
    }
  }

  private load(bytes: Uint8Array | undefined, id?: string): Outcome {
    this.current = undefined;
    const outcome = bytes
      ? this.attempt(() => (this.current = this.instantiate(bytes)))
      : { kind: "skipped" as const };
    if (id !== undefined) this.byId.set(id, this.current);
    return outcome;
  }

  private instantiate(bytes: Uint8Array): Loaded {
    const module = this.engine.compile(bytes);
    const instance = new WebAssembly.Instance(module, { ...this.registered, ...this.engine.imports });
    return { instance, source: readCoreModule(bytes) };
  }

  private async act({ kind, module, name }: Action, args: readonly Constant[]): Promise<Outcome> {
    const loaded = module === undefined ? this.current : this.byId.get(module);
    const found = loaded?.source.exports.find((candidate) => candidate.name === name);
    if (!loaded || !found) return { kind: "skipped" };
    const { functions, types, globals } = loaded.source;
    const wrapper =
      kind === "invoke"
        ? await wrapFunction(types[functions[found.index]!]!)
        : await wrapGlobal(globals[found.index]!);
    return this.attempt(() => run(wrapper, loaded.instance.exports[name], args.map(toValue)));
  }

  private attempt(work: () => unknown): Outcome {
    try {
      const values = work();
      return { kind: "returned", values: Array.isArray(values) ? values : [] };
    } catch (error) {
      if (this.engine.takeStackExhaustion?.()) return { kind: "exhaustion", message: "" };
      return failure(error);
    }
  }
}

function toValue(constant: Constant): Value {
  if (constant.kind === "bits") return { type: constant.type, bits: constant.bits };
  return { type: "ref", reference: constant.kind === "extern" ? constant.value : null };
}

function failure(error: unknown): Outcome {
  if (error instanceof WasmhookError) {
    if (error.code === "feature-refused") return { kind: "skipped" };
    return { kind: "refused", message: error.message };
  }
  if (error instanceof WebAssembly.RuntimeError) return { kind: "trap", message: error.message };
  if (error instanceof WebAssembly.CompileError) return { kind: "refused", message: error.message };
  if (error instanceof WebAssembly.LinkError) return { kind: "unlinkable", message: error.message };
  if (error instanceof RangeError) return { kind: "exhaustion", message: error.message };
  return { kind: "exception", message: String(error) };
}
