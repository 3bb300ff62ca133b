import { print } from "@bytecodealliance/jco-transpile/wasm-tools";
import { describe, expect, test } from "vitest";
import {
  allOpcodes,
  featureOf,
  Immediates,
  immediatesOf,
  opcodeName,
  opcodeNumber,
} from "#src/sandbox/binary/opcodes";
import { items } from "../../support/component-bytes.js";

const CORE_PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module with one of everything that an instruction can name, and one function of these bytes. */
function moduleOf(code: readonly number[]): Uint8Array {
  const body = [0, ...code, 0x0b];
  return Uint8Array.from([
    ...CORE_PREAMBLE,
    ...items(1, [0x60, 0, 0]),
    ...items(3, [0]),
    ...items(4, [0x70, 0, 0]),
    ...items(5, [0, 1]),
    ...items(13, [0, 0]),
    ...items(6, [0x7f, 1, 0x41, 0, 0x0b]),
    ...items(9, [3, 0, 0]),
    ...[12, 1, 1],
    ...items(10, [body.length, ...body]),
    ...items(11, [1, 0]),
  ]);
}

/** Immediates that name the first of everything. */
const SAMPLE: Readonly<Record<number, readonly number[]>> = {
  [Immediates.none]: [],
  [Immediates.block]: [0x40],
  [Immediates.tryTable]: [0x40, 0],
  [Immediates.labels]: [0, 0],
  [Immediates.typeTable]: [0, 0],
  [Immediates.tables]: [0, 0],
  [Immediates.elemTable]: [0, 0],
  [Immediates.memarg]: [0, 0],
  [Immediates.memargLane]: [0, 0, 0],
  [Immediates.memories]: [0, 0],
  [Immediates.dataMemory]: [0, 0],
  [Immediates.f32]: [0, 0, 0, 0],
  [Immediates.f64]: [0, 0, 0, 0, 0, 0, 0, 0],
  [Immediates.bytes16]: new Array(16).fill(0),
  [Immediates.heapType]: [0x70],
  [Immediates.types]: [1, 0x7f],
};

function encode(opcode: number): number[] {
  if (opcode <= 0xff) return [opcode];
  const sub = opcode & 0xff;
  return sub < 0x80 ? [opcode >>> 8, sub] : [opcode >>> 8, sub, 1];
}

const TRY = [0x06, 0x40];
/** What must stand round an instruction for it to stand in its place. */
function inPlace(name: string, code: number[]): number[] {
  if (name === "else") return [0x04, 0x40, ...code, 0x0b];
  if (name === "catch" || name === "catch_all") return [...TRY, ...code, 0x0b];
  if (name === "delegate") return [...TRY, ...code];
  if (name === "rethrow") return [...TRY, 0x19, ...code, 0x0b];
  if (name === "end") return [0x02, 0x40, ...code];
  if (["block", "loop", "if", "try", "try_table"].includes(name)) return [...code, 0x0b];
  return code;
}

/** The independent tool's text for a code, or undefined where it does not know it. */
async function textOf(code: readonly number[]): Promise<string | undefined> {
  try {
    return (await print(moduleOf(code))).replaceAll(/\(;.*?;\)/g, "");
  } catch {
    return undefined;
  }
}

describe("the opcode table", () => {
  test("has the names and immediates that an independent tool has", async () => {
    const wrong: string[] = [];
    for (const opcode of allOpcodes()) {
      const name = opcodeName(opcode);
      const code = [...encode(opcode), ...(SAMPLE[immediatesOf[opcode] ?? 0] ?? [0])];
      // A `nop` after it shows that the immediates were read to their end.
      const text = await textOf([0x01, ...inPlace(name, [...code, ...(name === "end" ? [] : [0x01])])]);
      const lines = text?.split("\n").map((line) => line.trim()) ?? [];
      const printed = name === "select_t" ? "select (result i32)" : name;
      const found = lines.some((line) => line === printed || line.startsWith(`${printed} `));
      if (!found) wrong.push(`${name}: ${text ?? "not known"}`);
    }
    expect(wrong).toEqual([]);
    expect(allOpcodes().length).toBe(447);
  });

  test("leaves out nothing that the tool knows but what belongs to a refused feature", async () => {
    const unknown: string[] = [];
    const opcodes = Array.from({ length: 0xfb }, (_, i) => i);
    for (let sub = 0; sub < 0x100; sub++) opcodes.push(0xfc00 | sub, 0xfd00 | sub);
    for (const opcode of opcodes.filter((candidate) => immediatesOf[candidate] === Immediates.refused)) {
      const feature = opcode > 0xff ? featureOf(opcode >>> 8, opcode & 0xff) : featureOf(opcode);
      if (!feature.startsWith("the unknown")) continue;
      for (const immediates of [[], [0], [0, 0]]) {
        const text = await textOf([...encode(opcode), ...immediates]);
        if (text !== undefined) unknown.push(`0x${opcode.toString(16)}`);
      }
    }
    expect(unknown).toEqual([]);
  });

  test("finds a number by name and a name by number", () => {
    expect(opcodeNumber("i32.add")).toBe(0x6a);
    expect(opcodeName(0xfd0c)).toBe("v128.const");
    expect(() => opcodeNumber("i32.nothing")).toThrow(RangeError);
    expect(() => opcodeName(0x27)).toThrow(RangeError);
  });
});
