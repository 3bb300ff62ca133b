import { WasmhookError } from "#src/errors";
import type { Limits } from "#src/hooks/hook";
import { DEFAULT_LIMITS } from "#src/hooks/limits";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { opcodeName } from "#src/sandbox/binary/opcodes";
import { featureUseOf } from "#src/sandbox/feature-use";
import { Host } from "#src/sandbox/host";
import { inspect } from "#src/sandbox/inspect";
import { type GuestReport, runGuest } from "#src/sandbox/instance";
import { type LinkedGuest, runLinked } from "#src/sandbox/link/run-linked";
import { prepare } from "#src/sandbox/prepare";
import { LOG_LINES_LIMIT } from "#src/sandbox/run-log";
import { PAGE_BYTES, pagesIn } from "#src/sandbox/tank";
import type { CommandGuest } from "#src/sandbox/wasi/preview1/run-command";

const TEXT_BYTES = 4096;

/** Small enough that any run is over soon. */
export const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  fuel: 100_000,
  memoryBytes: 64 * PAGE_BYTES,
  outputBytes: TEXT_BYTES,
  logsBytes: TEXT_BYTES,
};
export const REQUEST = {
  event: '{"event":"preToolCall","text":"é中😀"}',
  config: '{"paths":["é"]}',
  limits: LIMITS,
};
const CAPS = { memoryPages: pagesIn(LIMITS.memoryBytes), tableElements: 1_000 };

/** What became of one input. */
export interface Checked {
  /** `ok`, or a code after how far it got. */
  outcome: string;
  /** What was run, where it got as far as that. */
  report?: GuestReport;
}

/** Something that must never happen. */
export class Finding extends Error {}

/**
 * Takes an input through all that a module goes through.
 *
 * @param enter called with the name of each stage
 * @throws Finding for whatever is neither an answer nor a refusal
 */
export function check(bytes: Uint8Array, enter: (stage: string) => void = () => {}): Checked {
  enter("inspect");
  const refused = refusalOf("inspect", () => void inspect(bytes));
  if (refused !== undefined) return { outcome: `inspect: ${refused}` };
  enter("load");
  let guest: LinkedGuest | CommandGuest | undefined;
  const unloadable = refusalOf("load", () => {
    guest = prepare({ bytes, caps: CAPS }).guest;
  });
  if (guest === undefined) return { outcome: `load: ${unloadable}` };
  enter("run");
  const report = runGuest(guest, REQUEST);
  checkReport(report);
  const outcome = codeOf(report);
  // How deep calls go here depends on this thread's own stack.
  if (outcome === "stack-exhausted") return { outcome, report };
  enter("run again");
  expectSame("the same run again", report, runGuest(guest, REQUEST));
  if (outcome !== "ok") return { outcome, report };
  enter("run with other fuel");
  const withFuel = (fuel: number) =>
    runGuest(guest as LinkedGuest | CommandGuest, { ...REQUEST, limits: { ...LIMITS, fuel } });
  expectSame("a run with just enough fuel", report, withFuel(report.fuelUsed));
  const short = codeOf(withFuel(report.fuelUsed - 1));
  if (short !== "out-of-fuel") throw new Finding(`a run with a unit less than it needs: ${short}`);
  enter("run unmetered");
  if ("steps" in guest.plan) checkUnmetered(guest as LinkedGuest, bytes, report);
  return { outcome, report };
}

/** The code of a refusal, if it is one. */
function refusalOf(stage: string, act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof WasmhookError) return error.code;
    throw new Finding(`${stage} threw ${error instanceof Error ? error.stack : String(error)}`);
  }
}

export function codeOf({ result }: GuestReport): string {
  return "failure" in result ? result.failure.code : "ok";
}

/** What may be compared. */
export function told({ result, ...figures }: GuestReport): string {
  const outcome = "failure" in result ? { code: result.failure.code, data: result.failure.data } : result;
  return JSON.stringify({ outcome, ...figures });
}

function expectSame(what: string, expected: GuestReport, actual: GuestReport): void {
  if (told(actual) !== told(expected))
    throw new Finding(`${what}: ${told(actual)}\nand not ${told(expected)}`);
}

const bytesIn = (text: string) => Buffer.byteLength(text);

function checkReport({ result, fuelUsed, peakMemoryBytes, logs }: GuestReport): void {
  const isOver =
    fuelUsed > LIMITS.fuel ||
    peakMemoryBytes > LIMITS.memoryBytes ||
    logs.length > LOG_LINES_LIMIT + 1 ||
    logs.slice(0, -1).reduce((sum, { message }) => sum + bytesIn(message), 0) > LIMITS.logsBytes ||
    ("ok" in result && bytesIn(result.ok) > LIMITS.outputBytes);
  if (isOver) throw new Finding(`over a limit: ${told({ result, fuelUsed, peakMemoryBytes, logs })}`);
  // What does not link is known when it is loaded.
  if ("failure" in result && result.failure.code === "module-refused") {
    throw new Finding(`refused only when it was run: ${result.failure.message}`);
  }
}

/** Results that may differ for good reasons: NaNs, and what a growth comes to. */
const UNLIKE = /^(f32|f64|table\.grow|v128)|x\d+\./;

/** Runs a guest as it was before it was metered; it is known to end. */
function checkUnmetered({ plan, cores }: LinkedGuest, bytes: Uint8Array, report: GuestReport): void {
  const sources = plan.modules.map(({ start, end }) => bytes.subarray(start, end));
  const names = sources.flatMap((source) => [...featureUseOf(readCoreModule(source)).code].map(opcodeName));
  if (names.some((name) => UNLIKE.test(name))) return;
  const metered = new Host(LIMITS, REQUEST.config);
  runLinked({ plan, cores }, metered, LIMITS, REQUEST.event);
  if (metered.tank.growthRefused) return;
  const plain = cores.map(({ minimum }, i) => {
    return { module: new WebAssembly.Module(Uint8Array.from(sources[i] ?? [])), minimum };
  });
  const host = new Host(LIMITS, REQUEST.config);
  const ok = runLinked({ plan, cores: plain }, host, LIMITS, REQUEST.event);
  const { logs } = report;
  const actual = JSON.stringify({ result: { ok }, logs: host.log.lines() });
  const expected = JSON.stringify({ result: report.result, logs });
  if (actual !== expected) throw new Finding(`unmetered it gives ${actual}\nand metered ${expected}`);
}
