import { type ValueType, ValueTypes } from "#src/sandbox/binary/core-types";
import type { Constant } from "../spec/constants.js";
import type { Outcome } from "../spec/outcome.js";
import type { Step } from "../spec/prepare.js";
import type { Value as ScriptValue } from "../spec/values.js";
import { instantiate } from "./interpreter/instantiate.js";
import { Interpreter } from "./interpreter/machine.js";
import { type Extern, type Func, Global, type Instance, Memory, Table } from "./interpreter/store.js";
import { type HostReference, Thrown, Trap, Unsupported, type Value } from "./interpreter/values.js";

const ALLOWANCE = 0x7fff_ffff;

/** The module that the scripts import, as `test/spec/spectest.ts` has it for the engine. */
function spectest(): Map<string, Extern> {
  const print = (...params: ValueType[]): Func => ({ type: { params, results: [] }, host: () => [] });
  const { i32, i64, f32, f64 } = ValueTypes;
  return new Map<string, Extern>([
    ["print", print()],
    ["print_i32", print(i32)],
    ["print_i64", print(i64)],
    ["print_f32", print(f32)],
    ["print_f64", print(f64)],
    ["print_i32_f32", print(i32, f32)],
    ["print_f64_f64", print(f64, f64)],
    ["global_i32", new Global(i32, 666)],
    ["global_i64", new Global(i64, 666n)],
    ["global_f32", new Global(f32, 0x4426_a666)],
    ["global_f64", new Global(f64, 0x4084_d4cc_cccc_cccdn)],
    ["table", new Table(10, 20)],
    ["memory", new Memory(1, 2)],
  ]);
}

/** Runs the steps of one script as `Machine` does, on the interpreter. */
export class InterpretedScript {
  readonly machine = new Interpreter({
    pages: ALLOWANCE,
    elements: ALLOWANCE,
    maxPages: 65_536,
    maxElements: 0xffff_ffff,
  });
  private readonly registered = new Map<string, Map<string, Extern>>([["spectest", spectest()]]);
  private readonly byId = new Map<string, Instance | undefined>();
  private readonly definitions = new Map<string, Uint8Array>();
  private current: Instance | undefined;

  /** `skipped` where the module needs what the interpreter leaves out. */
  run({ command, bytes, args }: Step): Outcome {
    switch (command.kind) {
      case "definition":
        if (bytes) this.definitions.set(command.module.id ?? "", bytes);
        return { kind: "returned", values: [] };
      case "module":
        return this.load(bytes, command.module.id);
      case "instance":
        return this.load(this.definitions.get(command.definition ?? ""), command.id);
      case "register": {
        const found = command.id === undefined ? this.current : this.byId.get(command.id);
        if (found) this.registered.set(command.as, found.exports);
        return found ? { kind: "returned", values: [] } : { kind: "skipped" };
      }
      case "assert_trap_module":
        return bytes ? attempt(() => this.make(bytes)) : { kind: "skipped" };
      case "assert_unlinkable":
      case "assert_invalid":
      case "assert_malformed":
        return { kind: "skipped" };
      default: {
        const { module, name } = command.action;
        const target = (module === undefined ? this.current : this.byId.get(module))?.exports.get(name);
        if (!target) return { kind: "skipped" };
        if (target instanceof Global) {
          return { kind: "returned", values: [toScript(target.type, target.value)] };
        }
        const func = target as Func;
        return attempt(() => {
          const results = this.machine.call(func, args.map(fromScript));
          return func.type.results.map((type, i) => toScript(type, results[i] as Value));
        });
      }
    }
  }

  private load(bytes: Uint8Array | undefined, id?: string): Outcome {
    this.current = undefined;
    const outcome: Outcome = bytes ? attempt(() => this.make(bytes)) : { kind: "skipped" };
    if (id !== undefined) this.byId.set(id, this.current);
    return outcome;
  }

  private make(bytes: Uint8Array): ScriptValue[] {
    this.current = instantiate(this.machine, bytes, (module, name) => this.registered.get(module)?.get(name));
    return [];
  }
}

function attempt(work: () => ScriptValue[]): Outcome {
  try {
    return { kind: "returned", values: work() };
  } catch (error) {
    if (error instanceof Unsupported) return { kind: "skipped" };
    if (error instanceof Trap) return { kind: "trap", message: error.kind };
    if (error instanceof Thrown) return { kind: "exception", message: "" };
    if (error instanceof RangeError) return { kind: "exhaustion", message: error.message };
    throw error;
  }
}

function fromScript(constant: Constant): Value {
  if (constant.kind === "extern") return { host: constant.value };
  if (constant.kind !== "bits") return null;
  const view = new DataView(constant.bits.slice().buffer);
  if (constant.type === "v128") throw new Unsupported("SIMD");
  return constant.type.endsWith("32") ? view.getInt32(0, true) : view.getBigInt64(0, true);
}

function toScript(type: ValueType, value: Value): ScriptValue {
  const found = Object.entries(ValueTypes).find(([, byte]) => byte === type);
  const name = found?.[0] ?? "";
  if (typeof value === "number" || typeof value === "bigint") {
    const view = new DataView(new ArrayBuffer(typeof value === "number" ? 4 : 8));
    if (typeof value === "number") view.setInt32(0, value, true);
    else view.setBigInt64(0, value, true);
    return { type: name as "i32", bits: new Uint8Array(view.buffer) };
  }
  if (value === null) return { type: "ref", reference: null };
  const isHost = !("type" in value) && "host" in value;
  return { type: "ref", reference: isHost ? (value as HostReference).host : () => value };
}
