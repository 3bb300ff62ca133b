import type { ErrorCode } from "#src/errors";
import type { JsonValue } from "#src/hooks/json";
import type { Outcome } from "#src/hooks/outcome";
import { componentFromWat, hookComponent } from "../support/components.js";
import { type GuestParts, guest } from "../support/guests.js";

/** Makes a guest's bytes. */
export type Source = () => Promise<Uint8Array>;

/** What not every engine has that this package runs on; without it the guest is refused at load. */
export type Feature = "exnref" | "multi-memory" | "extended-const";

export interface Case {
  guest: Source;
  /** What the error's message must say, so that a guest is not refused for another reason. */
  because?: string;
  needs?: Feature;
  /** An engine's optimiser may want more memory for it than its process may hold; then that is ended. */
  greedy?: true;
  /** The `limits:` of its declaration. */
  limits?: Record<string, number | string>;
  /** The `config:` of its declaration. */
  config?: JsonValue;
  /** What the outcome must hold. */
  outcome?: Partial<Outcome>;
}

/** A guest that means harm, or the text of one. */
export interface Hostile extends Case {
  family: string;
  /** What it tries. */
  title: string;
  /** The code that it must end in; `ok` where what it tries simply fails, or is its right. */
  ends: ErrorCode | "ok";
  /** By `inspect`, so that its config does not load; when it is made ready to run; or when it runs. */
  stage: "inspect" | "load" | "run";
}

/** A guest, or with it what else there is to say of it, by what it tries. */
export type Cases = Record<string, Source | Case>;

/** Collects the guests of one file. */
export class Family {
  readonly guests: Hostile[] = [];
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Refused before anything else looks at them. */
  refused(code: ErrorCode, cases: Cases): this {
    return this.#add(code, "inspect", cases);
  }

  /** Refused while they are made ready. */
  unloadable(code: ErrorCode, cases: Cases): this {
    return this.#add(code, "load", cases);
  }

  /** Fail while they run. */
  fails(code: ErrorCode, cases: Cases): this {
    return this.#add(code, "run", cases);
  }

  /** Get what is their right, and no more. */
  survives(cases: Cases): this {
    return this.#add("ok", "run", cases);
  }

  #add(ends: Hostile["ends"], stage: Hostile["stage"], cases: Cases): this {
    for (const [title, given] of Object.entries(cases)) {
      const rest = typeof given === "function" ? { guest: given } : given;
      this.guests.push({ family: this.name, title, ends, stage, ...rest });
    }
    return this;
  }
}

/** The same guests, of which each needs this of its engine. */
export function needing(needs: Feature, cases: Cases): Record<string, Case> {
  const entries = Object.entries(cases).map(([title, given]): [string, Case] => {
    return [title, { ...(typeof given === "function" ? { guest: given } : given), needs }];
  });
  return Object.fromEntries(entries);
}

export const HOST_NAME = "wasmhook:hook/host@1.0.0";
export const LOG = `(import "${HOST_NAME}" "log" (func $log (param i32 i32 i32)))`;
export const CONFIG = `(import "${HOST_NAME}" "config" (func $config (param i32)))`;
export const HANDLER = "wasmhook:hook/handler@1.0.0";
export const HANDLE = `${HANDLER}#handle`;
/** Leaves the address of an answer without an opinion. */
export const NOTHING = "(call $answer (i32.const 0) (i32.const 0) (i32.const 0))";

/** The text of a core module of the `hook` world, as a component. */
export function hook(wat: string): Source {
  return () => hookComponent(wat);
}

/** A hook whose handler executes this, and then has no opinion. */
export function does(handle: string, parts: Omit<GuestParts, "handle"> = {}): Source {
  return hook(guest({ ...parts, handle: `${handle} ${NOTHING}` }));
}

/** A hook whose handler is this, which leaves the address of an answer. */
export function answers(handle: string, parts: Omit<GuestParts, "handle"> = {}): Source {
  return hook(guest({ ...parts, handle }));
}

/** The text of a whole component. */
export function component(fields: string): Source {
  return () => componentFromWat(`(component ${fields})`);
}

/**
 * The same without `wasm-tools`, which looks at the module before it makes a component of it. For modules that
 * import nothing.
 */
export function unchecked(wat: string): Source {
  return component(`${named("$m", wat)} (core instance $main (instantiate $m)) ${lifted("$main")}`);
}

/** The text of a core module of the `hook` world under a name, for a component that instantiates it itself. */
export function named(name: string, wat: string): string {
  return wat.replace("(module", `(core module ${name}`);
}

/** Exports the handler of a core instance that has a guest's memory, allocator and handler. */
export function lifted(instance: string): string {
  return `
    (func $handle (param "event" string) (result (result string (error string)))
      (canon lift (core func ${instance} "${HANDLE}")
        (memory (core memory ${instance} "memory")) (realloc (core func ${instance} "cabi_realloc"))))
    (instance $handler (export "handle" (func $handle)))
    (export "${HANDLER}" (instance $handler))`;
}

/** Traps unless the condition holds: an i32 that is not 0. */
export function must(condition: string): string {
  return `(if (i32.eqz ${condition}) (then (unreachable)))`;
}

/** `text(0) text(1) …`, `count` of them. */
export function many(count: number, text: string | ((index: number) => string)): string {
  return Array.from({ length: count }, (_, i) => (typeof text === "string" ? text : text(i))).join(" ");
}
