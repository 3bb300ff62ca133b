import type { Range } from "../binary/bytes.js";

/**
 * How a component of the `hook` world is linked, as plain data: made once of its bytes, and carried out for
 * each event. What a component may leave open (aliases, nested components, arguments) is settled in it.
 */
export interface LinkPlan {
  /** The core modules that are instantiated, as their places in the file. */
  readonly modules: readonly Range[];
  /** What is instantiated, in order. Each refers only to what was made before it. */
  readonly steps: readonly InstantiateStep[];
  readonly resources: readonly ResourcePlan[];
  readonly handler: HandlerPlan;
}

export interface InstantiateStep {
  /** Counts `modules`. */
  readonly module: number;
  readonly imports: readonly { readonly module: string; readonly name: string; readonly ref: CoreRef }[];
}

/** A resource type that the component defines for itself. */
export interface ResourcePlan {
  /** The component instance that defines it. */
  readonly owner: number;
  readonly dtor?: CoreRef;
}

/** The core function behind `handle`, of type `(i32, i32) -> i32`. */
export interface HandlerPlan {
  readonly func: CoreRef;
  readonly text: TextOptions;
  readonly postReturn?: CoreRef;
}

/** How text passes between the host and one function of the guest. */
export interface TextOptions {
  readonly encoding: "utf8" | "utf16";
  readonly memory: CoreRef;
  /** Present where text passes into the guest. */
  readonly realloc?: CoreRef;
}

export type HostFunctionName = "log" | "config";
export type ResourceOperation = "new" | "drop" | "rep";

/** A function, table, memory, global or tag of the core layer, by where it comes from when it is run. */
export type CoreRef =
  /** Of the core instance that step `instance` made. */
  | { readonly from: "instance"; readonly instance: number; readonly name: string }
  | { readonly from: "host"; readonly func: HostFunctionName; readonly text: TextOptions }
  /** A function of another component, which does nothing but trap, whatever its type. */
  | { readonly from: "stub" }
  /** `holder` is the component instance of which the handles are meant. */
  | {
      readonly from: "resource";
      readonly operation: ResourceOperation;
      readonly resource: number;
      readonly holder: number;
    };
