import { interpreted } from "./interpreted.js";
import { coarse, onEngine } from "./on-engine.js";
import type { Program } from "./programs/program.js";
import type { CallTrace, Trace } from "./trace.js";

/** Programs that never end are interpreted up to this fuel. */
export const MOST_FUEL = 15_000;
const PLENTY = 1_000_000_000;

export interface Comparison {
  readonly ending: CallTrace["outcome"];
  readonly differences: readonly string[];
}

/** Compares what a program does on the engine, plain and metered, with what the interpreter says of it. */
export function compare(program: Program, otherFuel: number): Comparison {
  const expected = interpreted(program, MOST_FUEL);
  const last = expected.calls.at(-1);
  if (!last) throw new TypeError("there is always the start");
  const differences: string[] = [];
  const differ = (what: string, found: readonly string[]) => {
    differences.push(...found.map((text) => `${what}: ${text}`));
  };
  if (last.outcome === "exhausted") {
    differ("without end", shortOfFuel(program, MOST_FUEL, expected));
  } else {
    if (!program.seesNans) differ("plain", results(onEngine(program), expected));
    const metered = onEngine(program, PLENTY);
    differ("metered", [...results(metered, expected), ...fuelOf(metered, expected)]);
    if (isExact(last)) {
      const enough = onEngine(program, last.fuel);
      differ("with just enough", [...results(enough, expected), ...fuelOf(enough, expected)]);
    }
    if (last.fuel > 0) differ("with one less", shortOfFuel(program, last.fuel - 1));
  }
  const less = otherFuel % Math.max(last.fuel, 1);
  differ(`with ${less}`, shortOfFuel(program, less));
  return { ending: last.outcome, differences };
}

function describe({ name, outcome, results: values }: CallTrace): string {
  return `${name} ${coarse(outcome)} ${values.join(" ")}`;
}

function results(actual: Trace, expected: Trace): string[] {
  const parts: [string, string, string][] = [
    ["calls", actual.calls.map(describe).join("; "), expected.calls.map(describe).join("; ")],
    ["globals", actual.globals.join(" "), expected.globals.join(" ")],
    ["log", values(actual), values(expected)],
    ["memory", String(Buffer.compare(actual.memory, expected.memory)), "0"],
  ];
  return parts.flatMap(([what, is, should]) =>
    is === should ? [] : [`${what} ${is}, interpreted ${should}`],
  );
}

function values({ log }: Trace): string {
  return log.map(({ value }) => value).join(" ");
}

/** Code that traps may be charged for what would have come after. */
function isExact({ outcome }: CallTrace): boolean {
  return !outcome.startsWith("trap");
}

/**
 * Exact wherever a call returned or was ended by an exception. After an `unreachable` it is no less than what
 * was executed; after another trap it is what the meter had last shown to the host, no less than what was
 * executed by then.
 */
function fuelOf(actual: Trace, expected: Trace): string[] {
  const differences: string[] = [];
  let shown = 0;
  for (const [i, call] of expected.calls.entries()) {
    const fuel = actual.calls[i]?.fuel ?? Number.NaN;
    if (call.outcome === "trap: unreachable") shown = call.fuel;
    if (isExact(call) ? fuel !== call.fuel : fuel < shown) {
      differences.push(`${call.name} (${call.outcome}) took ${fuel}, interpreted ${call.fuel}`);
    }
    shown = call.fuel;
  }
  for (const [i, { fuel }] of expected.log.entries()) {
    const seen = actual.log[i]?.fuel ?? Number.NaN;
    if (!(seen >= fuel)) differences.push(`at host call ${i} ${seen} was taken, interpreted ${fuel}`);
  }
  return differences;
}

/**
 * With fuel that does not suffice: it runs out in the same call as it does for the interpreter, all calls
 * before that are as ever, and the host is called with nothing that was not paid for.
 */
function shortOfFuel(program: Program, fuel: number, known?: Trace): string[] {
  const expected = known ?? interpreted(program, fuel);
  const actual = onEngine(program, fuel);
  const last = expected.calls.length - 1;
  const before = (trace: Trace) =>
    trace.calls
      .slice(0, last)
      .map((call) => `${describe(call)} ${call.fuel}`)
      .join("; ");
  const differences: string[] = [];
  if (before(actual) !== before(expected)) {
    differences.push(`calls ${before(actual)}, interpreted ${before(expected)}`);
  }
  const outcome = actual.calls[last]?.outcome ?? "";
  // Fuel may be found missing later than a trap that the code without fuel comes to.
  const isStopped = outcome === "exhausted" || outcome.startsWith("trap");
  if (!isStopped || actual.calls.length !== last + 1) differences.push(`it ended in ${outcome}`);
  if (!`${values(expected)} `.startsWith(actual.log.length > 0 ? `${values(actual)} ` : "")) {
    differences.push(`log ${values(actual)}, interpreted ${values(expected)}`);
  }
  return differences;
}
