import type { GuestReport, GuestRequest } from "./instance.js";
import type { MeterCaps } from "./meter/limits.js";
import type { PortableError } from "./portable-error.js";
import type { Minimum } from "./tank.js";

/** A component that is inspected, transpiled, metered and compiled, in a form that can be sent to any worker. */
export interface PreparedComponent {
  /** The expression of the glue, a function of its realm. */
  glue: string;
  cores: { name: string; module: WebAssembly.Module; minimum: Minimum }[];
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
export interface TranspileCall {
  bytes: Uint8Array;
  caps: MeterCaps;
}

export type TranspileReply = { component: PreparedComponent } | { failure: PortableError };
