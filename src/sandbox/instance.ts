import type { WasmhookError } from "../errors.js";
import type { Limits } from "../hooks/hook.js";
import type { LogLine } from "../hooks/outcome.js";
import type { ProgramOutput } from "../hooks/program-output.js";
import { failureOf } from "./failure.js";
import { Host, outputTooLarge, TEXT_FUEL } from "./host.js";
import { type LinkedGuest, runLinked } from "./link/run-linked.js";
import { runTranspiled, type TranspiledGuest } from "./transpiled.js";
import { type CommandGuest, runCommand } from "./wasi/preview1/run-command.js";

/** A component or a command, ready to be instantiated any number of times. */
export type Guest = LinkedGuest | CommandGuest | TranspiledGuest;

export interface GuestRequest {
  /** The event's JSON: of a component the canonical one, of a command what it reads on stdin. */
  event: string;
  /** The JSON of the hook's `config:` block, which a command cannot read. */
  config: string;
  limits: Limits;
}

/** What a component said, or how a command ended. */
export type GuestAnswer = { ok: string } | { exit: ProgramOutput };

/** What came of one event in a fresh instance. */
export interface GuestReport {
  result: GuestAnswer | { failure: WasmhookError };
  fuelUsed: number;
  peakMemoryBytes: number;
  logs: LogLine[];
}

/** Runs one event in a fresh instance, and does not return before it is over. Never throws. */
export function runGuest(
  guest: Guest,
  { event, config, limits }: GuestRequest,
  host = new Host(limits, config),
): GuestReport {
  let result: GuestReport["result"];
  try {
    host.tank.charge(event.length * TEXT_FUEL);
    result = answerOf(guest, host, limits, event);
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

function answerOf(guest: Guest, host: Host, limits: Limits, event: string): GuestAnswer {
  if (!("plan" in guest)) return { ok: withinLimit(runTranspiled(guest, host, limits, event), limits) };
  if (isCommandGuest(guest)) return { exit: runCommand(guest, host, limits, event) };
  return { ok: withinLimit(runLinked(guest, host, limits, event), limits) };
}

function isCommandGuest(guest: LinkedGuest | CommandGuest): guest is CommandGuest {
  return "seed" in guest.plan;
}

function withinLimit(output: string, limits: Limits): string {
  // No text takes more than three bytes for each code unit: few need to be counted.
  if (output.length * 3 <= limits.outputBytes) return output;
  const outputBytes = new TextEncoder().encode(output).length;
  if (outputBytes > limits.outputBytes) throw outputTooLarge(outputBytes, limits);
  return output;
}
