import type { ModuleLimits } from "../hooks/module-limits.js";
import type { CoreModule } from "./core-instance.js";
import type { GuestAnswer, GuestReport, GuestRequest } from "./instance.js";
import type { LinkedGuest } from "./link/run-linked.js";
import type { MeterCaps } from "./meter/limits.js";
import type { PortableError } from "./portable-error.js";
import type { CommandGuest } from "./wasi/preview1/run-command.js";

/** A component or a command that is inspected, linked, metered and compiled, in a form that can be sent to any worker. */
export type PreparedGuest = LinkedGuest | CommandGuest | TranspiledComponent;

export interface TranspiledComponent {
  /** The expression of the glue, a function of its realm. */
  glue: string;
  cores: (CoreModule & { name: string })[];
}

/** What a guest worker is asked. The guest goes along the first time that the worker gets its `id`. */
export interface GuestCall extends GuestRequest {
  id: string;
  guest: PreparedGuest | undefined;
}

export type GuestReply = Omit<GuestReport, "result"> & {
  result: GuestAnswer | { failure: PortableError };
};

/** A module as it was read, and the most that it may be able to grow to. */
export interface LoadCall {
  bytes: Uint8Array;
  caps: MeterCaps;
  /** What it may have at all; those left out are as by default. */
  limits?: Partial<ModuleLimits> | undefined;
  /** Whether to answer with the artefact too, where there is one. */
  wantsArtefact?: boolean;
}

export interface Loaded {
  guest: PreparedGuest;
  /** What it was compiled of, as `encodeArtefact` gives it. */
  artefact?: Uint8Array<ArrayBuffer>[] | undefined;
}

export type LoadReply = Loaded | { failure: PortableError };
