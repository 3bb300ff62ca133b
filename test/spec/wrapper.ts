import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import {
  type FunctionType,
  type GlobalType,
  type ValueType,
  ValueTypes,
} from "#src/sandbox/binary/core-types";
import type { NumberType, Value } from "./values.js";

const typeNames = new Map<ValueType, string>(
  Object.entries(ValueTypes).map(([name, byte]) => [byte, name] as const),
);
const SLOT_BYTES = 16;
const modules = new Map<string, WebAssembly.Module>();

function isNumber(name: string): name is NumberType {
  return !name.endsWith("ref");
}

/**
 * Calls or reads an export through a small module that moves every number through memory: so that vectors
 * can cross, and no bit of a NaN is lost in JavaScript.
 */
export interface Wrapper {
  readonly module: WebAssembly.Module;
  readonly params: readonly string[];
  readonly results: readonly string[];
}

async function wrap(params: readonly string[], results: readonly string[], target: string, push: string) {
  const key = `${params} -> ${results} ${target}`;
  const module = modules.get(key) ?? new WebAssembly.Module(await parse(text(params, results, target, push)));
  modules.set(key, module);
  return { module, params, results };
}

export async function wrapFunction({ params, results }: FunctionType): Promise<Wrapper> {
  const from = params.map((type) => typeNames.get(type) ?? "");
  const to = results.map((type) => typeNames.get(type) ?? "");
  return await wrap(
    from,
    to,
    `(func $target (param ${from.join(" ")}) (result ${to.join(" ")}))`,
    "call $target",
  );
}

export async function wrapGlobal({ type, mutable }: GlobalType): Promise<Wrapper> {
  const name = typeNames.get(type) ?? "";
  return await wrap([], [name], `(global $target ${mutable ? `(mut ${name})` : name})`, "global.get $target");
}

function text(params: readonly string[], results: readonly string[], target: string, push: string): string {
  const isRef = (name: string) => !isNumber(name);
  const loads = params.map((name, i) =>
    isNumber(name)
      ? `(${name}.load (i32.const ${i * SLOT_BYTES}))`
      : `(local.get ${params.slice(0, i).filter(isRef).length})`,
  );
  const locals = results.map((name, i) => `(local $r${i} ${name})`);
  const sets = results.map((_, i) => `(local.set $r${i})`).reverse();
  const stores = results.map((name, i) =>
    isNumber(name)
      ? `(${name}.store (i32.const ${i * SLOT_BYTES}) (local.get $r${i}))`
      : `(local.get $r${i})`,
  );
  return `(module
    (import "" "target" ${target})
    (memory (export "memory") 1)
    (func (export "run") (param ${params.filter(isRef).join(" ")}) (result ${results.filter(isRef).join(" ")})
      ${locals.join(" ")}
      ${loads.join(" ")}
      ${push}
      ${sets.join(" ")}
      ${stores.join(" ")}))`;
}

/** Instantiates the wrapper round `target` and runs it. What the guest throws passes through. */
export function run(wrapper: Wrapper, target: unknown, args: readonly Value[]): Value[] {
  const instance = new WebAssembly.Instance(wrapper.module, { "": { target } });
  const memory = new Uint8Array((instance.exports.memory as WebAssembly.Memory).buffer);
  const references: unknown[] = [];
  for (const [i, arg] of args.entries()) {
    if (arg.type === "ref") references.push(arg.reference);
    else memory.set(arg.bits, i * SLOT_BYTES);
  }
  const returned = (instance.exports.run as (...args: unknown[]) => unknown)(...references);
  const returnedReferences = Array.isArray(returned) ? returned : [returned];
  return wrapper.results.map((name, i): Value => {
    if (!isNumber(name)) return { type: "ref", reference: returnedReferences.shift() };
    const bytes = name === "v128" ? 16 : name.endsWith("32") ? 4 : 8;
    return { type: name, bits: memory.slice(i * SLOT_BYTES, i * SLOT_BYTES + bytes) };
  });
}
