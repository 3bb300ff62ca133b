import type { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import type { LogLine } from "../hooks/outcome.js";
import { failureOf } from "./failure.js";
import { Host, outputTooLarge, TEXT_FUEL } from "./host.js";
import { type LinkedGuest, runLinked } from "./link/run-linked.js";
import { runTranspiled, type TranspiledGuest } from "./transpiled.js";

/** A component, ready to be instantiated any number of times. */
export type Guest = LinkedGuest | TranspiledGuest;

export interface GuestRequest {
  /** The event's JSON. */
  event: string;
  /** The JSON of the hook's `config:` block. */
  config: string;
  limits: Limits;
}

/** What came of one event in a fresh instance. */
export interface GuestReport {
  result: { ok: string } | { failure: WasmhookError };
  fuelUsed: number;
  peakMemoryBytes: number;
  logs: LogLine[];
}

/** Runs one event in a fresh instance, and does not return before it is over. Never throws. */
export function runGuest(guest: Guest, { event, config, limits }: GuestRequest): GuestReport {
  const host = new Host(limits, config);
  let result: GuestReport["result"];
  try {
    host.tank.charge(event.length * TEXT_FUEL);
    const output =
      "plan" in guest ? runLinked(guest, host, limits, event) : runTranspiled(guest, host, limits, event);
    result = { ok: withinLimit(output, limits) };
  } catch (error) {
    result = { failure: failureOf(error, host.tank, limits) };
  }
  // The counter is tested first: a guest that ran dry may still have returned something, or trapped otherwise.
  if (host.tank.exhausted || host.tank.stackExhausted)
    result = { failure: failureOf(undefined, host.tank, limits) };
  else if (host.failure !== undefined) result = { failure: host.failure };
  const { fuelUsed, peakMemoryBytes } = host.tank;
  return { result, fuelUsed, peakMemoryBytes, logs: host.log.lines() };
}

function withinLimit(output: string, limits: Limits): string {
  // No text takes more than three bytes for each code unit: few need to be counted.
  if (output.length * 3 <= limits.outputBytes) return output;
  const outputBytes = new TextEncoder().encode(output).length;
  if (outputBytes > limits.outputBytes) throw outputTooLarge(outputBytes, limits);
  return output;
}
