import { type Costs, publishedCosts } from "./interpreter/costs.js";
import { instantiate } from "./interpreter/instantiate.js";
import { Interpreter } from "./interpreter/machine.js";
import type { Func, Global, Instance, Memory } from "./interpreter/store.js";
import { OutOfFuel, Thrown, Trap, type Value } from "./interpreter/values.js";
import type { Program } from "./programs/program.js";
import { GLOBAL_TYPES, HOST_TYPE } from "./programs/shapes.js";
import { answer, type CallTrace, callsOf, describeValue, type Trace } from "./trace.js";

/** Runs a program on the interpreter, to the end or until `limit` is spent. */
export function interpreted(program: Program, limit: number, costs: Costs = publishedCosts): Trace {
  const machine = new Interpreter({ pages: 100, elements: 1000, maxPages: 1000, maxElements: 10_000 }, costs);
  machine.limit = limit;
  const log: { value: number; fuel: number }[] = [];
  const host: Func = {
    type: HOST_TYPE,
    host: ([value]) => {
      log.push({ value: value as number, fuel: machine.spent });
      return [answer(value as number)];
    },
  };
  const calls: CallTrace[] = [];
  let instance: Instance | undefined;
  const record = (name: string, work: () => string[]): boolean => {
    let outcome: CallTrace["outcome"] = "returned";
    let results: string[] = [];
    try {
      results = work();
    } catch (error) {
      if (error instanceof OutOfFuel) outcome = "exhausted";
      else if (error instanceof Thrown) outcome = "exception";
      else if (error instanceof Trap) outcome = `trap: ${error.kind}`;
      else throw error;
    }
    calls.push({ name, outcome, results, fuel: machine.spent });
    // After a trap the guest is dead.
    return outcome === "returned" || (outcome === "exception" && name !== "start");
  };
  const start = () => {
    instance = instantiate(machine, program.bytes, () => host);
    return [];
  };
  if (record("start", start)) {
    for (const { name, type, args } of callsOf(program)) {
      const isAlive = record(name, () => {
        const values = machine.call(instance?.exports.get(name) as Func, args);
        return type.results.map((result, i) => describeValue(result, values[i] as Value));
      });
      if (!isAlive) break;
    }
  }
  return {
    calls,
    log,
    memory: (instance?.exports.get("memory") as Memory | undefined)?.bytes ?? new Uint8Array(),
    globals: GLOBAL_TYPES.map((type, i) => {
      const global = instance?.exports.get(`global${i}`) as Global | undefined;
      return global ? describeValue(type, global.value) : "";
    }),
  };
}
