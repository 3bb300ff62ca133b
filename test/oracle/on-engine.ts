import { meterModule } from "#src/sandbox/meter";
import { TEST_CAPS, TestTank } from "../support/metered.js";
import type { TrapKind, Value } from "./interpreter/values.js";
import type { Program } from "./programs/program.js";
import { GLOBAL_TYPES } from "./programs/shapes.js";
import { answer, type CallTrace, callsOf, describeValue, fromEngine, type Trace, toEngine } from "./trace.js";

/** How V8 words a trap; what it words alike stands first. */
const WORDS: readonly [RegExp, TrapKind][] = [
  [/unreachable/, "unreachable"],
  [/zero/, "divide by zero"],
  [/divide result unrepresentable/, "integer overflow"],
  [/float unrepresentable/, "invalid conversion"],
  [/memory access out of bounds|data segment/, "memory out of bounds"],
  [/table .*out of bounds|element segment/, "table out of bounds"],
  [/function signature mismatch|indirect call|dereferencing a null/, "signature mismatch"],
  [/null/, "null exception"],
];

/** Kinds that V8 does not tell apart. */
const COARSE: Partial<Record<TrapKind, TrapKind>> = { "null function": "signature mismatch" };

export function coarse(outcome: CallTrace["outcome"]): CallTrace["outcome"] {
  const kind = outcome.replace(/^trap: /, "") as TrapKind;
  return COARSE[kind] ? `trap: ${COARSE[kind]}` : outcome;
}

/** What the host throws where the fuel has run out. */
class Exhausted extends Error {}

const modules = new WeakMap<Program, { plain?: WebAssembly.Module; metered?: WebAssembly.Module }>();

/** Runs a program on the engine as it is, or metered with so much fuel. */
export function onEngine(program: Program, fuel?: number): Trace {
  const compiled = modules.get(program) ?? {};
  modules.set(program, compiled);
  if (fuel === undefined) compiled.plain ??= new WebAssembly.Module(program.bytes);
  else compiled.metered ??= new WebAssembly.Module(meterModule(program.bytes, TEST_CAPS).bytes);
  const module = (fuel === undefined ? compiled.plain : compiled.metered) as WebAssembly.Module;

  const tank = new TestTank(fuel === undefined ? {} : { fuel });
  const log: { value: number; fuel: number }[] = [];
  const host = (value: number) => {
    if (tank.left < 0) throw new Exhausted();
    log.push({ value, fuel: tank.used });
    return answer(value);
  };
  const calls: CallTrace[] = [];
  let exports: WebAssembly.Exports = {};
  const record = (name: string, work: () => string[]): boolean => {
    let outcome: CallTrace["outcome"] = "returned";
    let results: string[] = [];
    try {
      results = work();
    } catch (error) {
      outcome = outcomeOf(error);
    }
    if (tank.left < 0) outcome = "exhausted";
    calls.push({ name, outcome, results, fuel: tank.used });
    return outcome === "returned" || (outcome === "exception" && name !== "start");
  };
  const imports = { host: { log: host }, ...tank.imports };
  const start = () => {
    ({ exports } = new WebAssembly.Instance(module, imports));
    return [];
  };
  if (record("start", start)) {
    for (const { name, type, args } of callsOf(program)) {
      const isAlive = record(name, () => {
        const work = exports[name] as (...args: unknown[]) => unknown;
        const returned = work(...type.params.map((param, i) => toEngine(param, args[i] as Value)));
        const values = type.results.length === 1 ? [returned] : ((returned ?? []) as unknown[]);
        return type.results.map((result, i) => describeValue(result, fromEngine(result, values[i])));
      });
      if (!isAlive) break;
    }
  }
  const memory = exports.memory as WebAssembly.Memory | undefined;
  return {
    calls,
    log,
    memory: new Uint8Array(memory?.buffer ?? []),
    globals: GLOBAL_TYPES.map((type, i) => {
      const global = exports[`global${i}`] as WebAssembly.Global | undefined;
      return global ? describeValue(type, fromEngine(type, global.value)) : "";
    }),
  };
}

function outcomeOf(error: unknown): CallTrace["outcome"] {
  if (error instanceof Exhausted) return "exhausted";
  if (error instanceof WebAssembly.RuntimeError) {
    const found = WORDS.find(([words]) => words.test(error.message));
    return `trap: ${found?.[1] ?? error.message}`;
  }
  if (error instanceof (WebAssembly as unknown as { Exception: typeof Error }).Exception) return "exception";
  throw error;
}
