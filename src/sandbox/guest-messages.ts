import type { ModuleLimits } from "../hooks/module-limits.js";
import type { CoreModule } from "./core-instance.js";
import type { GuestReport, GuestRequest } from "./instance.js";
import type { LinkedGuest } from "./link/run-linked.js";
import type { MeterCaps } from "./meter/limits.js";
import type { PortableError } from "./portable-error.js";

/** A component that is inspected, linked, metered and compiled, in a form that can be sent to any worker. */
export type PreparedComponent = LinkedGuest | TranspiledComponent;

export interface TranspiledComponent {
  /** The expression of the glue, a function of its realm. */
  glue: string;
  cores: (CoreModule & { name: string })[];
}

/** What a guest worker is asked. The component goes along the first time that the worker gets its `id`. */
export interface GuestCall extends GuestRequest {
  id: string;
  component: PreparedComponent | undefined;
}

export type GuestReply = Omit<GuestReport, "result"> & {
  result: { ok: string } | { failure: PortableError };
};

/** A component as it was read, and the most that it may be able to grow to. */
export interface LoadCall {
  bytes: Uint8Array;
  caps: MeterCaps;
  /** What it may have at all; those left out are as by default. */
  limits?: Partial<ModuleLimits> | undefined;
  /** Whether to answer with the artefact too, where there is one. */
  wantsArtefact?: boolean;
}

export interface Loaded {
  component: PreparedComponent;
  /** What it was compiled of, as `encodeArtefact` gives it. */
  artefact?: Uint8Array<ArrayBuffer>[] | undefined;
}

export type LoadReply = Loaded | { failure: PortableError };
