import type { Instruction } from "./decode.js";
import type { Interpreter } from "./machine.js";
import type { Instance, Memory, Table } from "./store.js";
import { type Reference, Trap, Unsupported } from "./values.js";

const NAMES = new Set(
  (
    "memory.size memory.grow memory.init data.drop memory.copy memory.fill " +
    "table.get table.set table.init elem.drop table.copy table.grow table.size table.fill"
  ).split(" "),
);

/** More would take the machine's memory rather than show anything. */
const MOST_PAGES = 2048;
/** V8 has no larger tables. */
const MOST_ELEMENTS = 10_000_000;

export function isTableOrBulk(name: string): boolean {
  return NAMES.has(name);
}

function within(start: number, length: number, size: number, kind: "memory" | "table"): void {
  if (start + length > size) throw new Trap(`${kind} out of bounds`);
}

/** Tables, the sizes of memories, and what works on many bytes or elements at once. */
export function tableOrBulk(machine: Interpreter, instance: Instance, instruction: Instruction): void {
  const { name, first, second } = instruction;
  const { stack, costs } = machine;
  const memory = (index: number) => instance.memories[index] as Memory;
  const table = (index: number) => instance.tables[index] as Table;
  const unsigned = () => (machine.pop() as number) >>> 0;
  switch (name) {
    case "memory.size":
      stack.push(memory(first).pages);
      return;
    case "memory.grow":
      stack.push(growMemory(machine, memory(first), unsigned()));
      return;
    case "table.size":
      stack.push(table(first).elements.length);
      return;
    case "table.grow": {
      const count = unsigned();
      stack.push(growTable(machine, table(first), count, machine.pop() as Reference));
      return;
    }
    case "table.get": {
      const index = unsigned();
      within(index, 1, table(first).elements.length, "table");
      stack.push(table(first).elements[index] ?? null);
      return;
    }
    case "table.set": {
      const value = machine.pop() as Reference;
      const index = unsigned();
      within(index, 1, table(first).elements.length, "table");
      table(first).elements[index] = value;
      return;
    }
    case "data.drop":
      instance.data[first] = new Uint8Array();
      return;
    case "elem.drop":
      instance.elements[first] = [];
      return;
  }
  const length = unsigned();
  if (name.endsWith(".fill")) {
    const value = machine.pop();
    const start = unsigned();
    if (name === "memory.fill") {
      within(start, length, memory(first).bytes.length, "memory");
      machine.spend(length * costs.byte);
      memory(first).bytes.fill((value as number) & 0xff, start, start + length);
    } else {
      within(start, length, table(first).elements.length, "table");
      machine.spend(length * costs.element);
      table(first).elements.fill(value as Reference, start, start + length);
    }
    return;
  }
  const from = unsigned();
  const to = unsigned();
  if (name.startsWith("memory.")) {
    const isInit = name === "memory.init";
    const target = memory(isInit ? second : first).bytes;
    const source = isInit ? (instance.data[first] as Uint8Array) : memory(second).bytes;
    within(from, length, source.length, "memory");
    within(to, length, target.length, "memory");
    machine.spend(length * costs.byte);
    target.set(source.slice(from, from + length), to);
  } else {
    const isInit = name === "table.init";
    const target = table(isInit ? second : first).elements;
    const source = isInit ? (instance.elements[first] ?? []) : table(second).elements;
    within(from, length, source.length, "table");
    within(to, length, target.length, "table");
    machine.spend(length * costs.element);
    for (const [i, value] of source.slice(from, from + length).entries()) target[to + i] = value;
  }
}

function growMemory(machine: Interpreter, memory: Memory, count: number): number {
  const { allowance, costs } = machine;
  const before = memory.pages;
  const after = before + count;
  const fits = count <= allowance.pages && after <= Math.min(memory.max, allowance.maxPages);
  if (fits && after > MOST_PAGES) throw new Unsupported("a large memory");
  if (fits || count <= costs.failedGrowth) machine.spend(count * costs.page);
  if (!fits) return -1;
  if (count > 0) machine.spend(costs.growth);
  allowance.pages -= count;
  const grown = new Uint8Array(after * 65_536);
  grown.set(memory.bytes);
  memory.bytes = grown;
  return before;
}

function growTable(machine: Interpreter, table: Table, count: number, value: Reference): number {
  const { allowance, costs } = machine;
  const before = table.elements.length;
  const most = Math.min(table.max, allowance.maxElements, MOST_ELEMENTS);
  const fits = count <= allowance.elements && before + count <= most;
  if (fits || count <= costs.failedGrowth) machine.spend(count * costs.element);
  if (!fits) return -1;
  allowance.elements -= count;
  for (let i = 0; i < count; i++) table.elements.push(value);
  return before;
}
