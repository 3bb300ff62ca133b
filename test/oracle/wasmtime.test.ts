import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { MOST_FUEL } from "./compare.js";
import { interpreted } from "./interpreted.js";
import { onWasmtime, type WasmtimeTrace } from "./on-wasmtime.js";
import { type Program, program } from "./programs/program.js";
import type { Trace } from "./trace.js";
import { INSTANTIATION_COST, START_CALL_COST, wasmtimeCosts } from "./wasmtime-costs.js";

const PROGRAMS = 1500;
const LARGEST = 40;

const seed = Number(process.env.WASMHOOK_SEED ?? 1);

/** The trap kinds of the interpreter as Wasmtime names them. */
const TRAPS: Readonly<Record<string, readonly string[]>> = {
  unreachable: ["UNREACHABLE"],
  "divide by zero": ["INTEGER_DIVISION_BY_ZERO"],
  "integer overflow": ["INTEGER_OVERFLOW"],
  "invalid conversion": ["BAD_CONVERSION_TO_INTEGER", "INTEGER_OVERFLOW"],
  "memory out of bounds": ["MEMORY_OUT_OF_BOUNDS"],
  "table out of bounds": ["TABLE_OUT_OF_BOUNDS"],
  "null function": ["INDIRECT_CALL_TO_NULL"],
  "signature mismatch": ["BAD_SIGNATURE"],
  "null exception": ["NULL_REFERENCE"],
};

/** Wasmtime knows only the newer encoding of exceptions. */
function programOf(index: number): Program {
  return program(seed * 1_000_000 + index, 1 + (index % LARGEST), index % 2 === 0 ? undefined : "try_table");
}

function isSameOutcome(actual: string, expected: string): boolean {
  const names = TRAPS[expected.replace("trap: ", "")];
  return names ? names.some((name) => actual === `trap: ${name}`) : actual === expected;
}

function differences(actual: WasmtimeTrace, expected: Trace, bytes: Uint8Array): string[] {
  const found: string[] = [];
  const check = (what: string, is: unknown, should: unknown) => {
    if (String(is) !== String(should)) found.push(`${what}: Wasmtime ${is}, interpreted ${should}`);
  };
  const startCost = readCoreModule(bytes).start === undefined ? 0 : START_CALL_COST;
  check("number of calls", actual.calls.length, expected.calls.length);
  for (const [i, { name, outcome, results, fuel }] of expected.calls.entries()) {
    const call = actual.calls[i];
    if (!isSameOutcome(call?.outcome ?? "", outcome)) check(`${i} ${name}`, call?.outcome, outcome);
    check(`${i} ${name}`, call?.results, results);
    // After most traps Wasmtime has lost what its compiled code had counted in a register.
    const isCounted = !/^trap: (?!unreachable)/.test(outcome);
    if (isCounted) check(`fuel of ${i} ${name}`, call?.fuel, fuel + INSTANTIATION_COST + startCost);
  }
  check(
    "log",
    actual.log,
    expected.log.map(({ value }) => value),
  );
  // There is no instance to look at where its start ended otherwise.
  if (actual.calls[0]?.outcome === "returned") {
    check("globals", actual.globals, expected.globals);
    check("memory", actual.memory, createHash("sha256").update(expected.memory).digest("hex"));
  }
  return found;
}

const reason = await onWasmtime([]).then((traces) => (typeof traces === "string" ? traces : undefined));
if (reason !== undefined) process.stdout.write(`skipped: Wasmtime cannot be run here: ${reason}\n`);

test.skipIf(reason !== undefined)(
  "Wasmtime comes to the same results as the interpreter, and to the same fuel under its own table",
  async () => {
    const ending: { readonly index: number; readonly program: Program; readonly trace: Trace }[] = [];
    for (let index = 0; index < PROGRAMS; index++) {
      const candidate = programOf(index);
      if (interpreted(candidate, MOST_FUEL).calls.at(-1)?.outcome === "exhausted") continue;
      const trace = interpreted(candidate, Number.MAX_SAFE_INTEGER, wasmtimeCosts);
      ending.push({ index, program: candidate, trace });
    }
    const traces = await onWasmtime(ending.map((one) => one.program));
    if (typeof traces === "string") throw new Error(traces);
    expect(traces.length).toBe(ending.length);
    const found = ending.flatMap(({ index, program: { bytes }, trace }, i) =>
      differences(traces[i] as WasmtimeTrace, trace, bytes).map((text) => `program ${index}: ${text}`),
    );
    expect(found).toEqual([]);
    process.stdout.write(`Wasmtime agrees with the interpreter on ${ending.length} generated programs\n`);
  },
  300_000,
);
