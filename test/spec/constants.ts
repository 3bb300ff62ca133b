import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { Reader } from "#src/sandbox/binary/bytes";
import { readCoreModule } from "#src/sandbox/binary/core-module";
import { head, type List } from "./s-expression.js";
import { laneBytes, type NanPattern, type NumberType } from "./values.js";

/** A value that a script passes or expects. */
export type Constant =
  | { readonly kind: "bits"; readonly type: NumberType; readonly bits: Uint8Array; readonly lanes: Lanes }
  | { readonly kind: "null" }
  | { readonly kind: "extern"; readonly value: string }
  | { readonly kind: "any-function" | "any-extern" | "unknown" }
  | { readonly kind: "either"; readonly alternatives: readonly Constant[] };

/** For each lane of a float or vector: what kind of NaN it must be, if the script leaves that open. */
interface Lanes {
  readonly bytes: number;
  readonly patterns: readonly (NanPattern | undefined)[];
}

const isNanPattern = (text: string): text is NanPattern =>
  text === "nan:canonical" || text === "nan:arithmetic";

/** Collects the constants of a script, so that the assembler reads them all at once. */
export class ConstantPool {
  private readonly texts: string[] = [];
  private readonly fill: ((bits: Uint8Array) => void)[] = [];

  add(node: List): Constant {
    const kind = head(node);
    if (kind === "either") {
      const alternatives = node.items.filter((item) => item.kind === "list").map((item) => this.add(item));
      return { kind, alternatives };
    }
    if (kind === "ref.null") return { kind: "null" };
    if (kind === "ref.func") return { kind: "any-function" };
    if (kind === "ref.extern") {
      const number = node.items[1];
      return number?.kind === "atom"
        ? { kind: "extern", value: `extern ${number.text}` }
        : { kind: "any-extern" };
    }
    const [type, operation] = kind.split(".");
    if (operation !== "const") return { kind: "unknown" };
    return this.addNumber(type as NumberType, node);
  }

  private addNumber(type: NumberType, node: List): Constant {
    const atoms = node.items.map((item) => (item.kind === "atom" ? item.text : ""));
    const shape = type === "v128" ? (atoms[1] ?? "") : type;
    const values = atoms.slice(type === "v128" ? 2 : 1);
    const patterns = values.map((text) => (isNanPattern(text) ? text : undefined));
    const text = atoms.map((atom) => (isNanPattern(atom) ? "0" : atom)).join(" ");
    this.texts.push(`(global ${type} (${text}))`);
    const bits = new Uint8Array(16);
    this.fill.push((read) => bits.set(read));
    return { kind: "bits", type, bits, lanes: { bytes: laneBytes(shape), patterns } };
  }

  /** Gives all constants that were added their bits. */
  async resolve(): Promise<void> {
    const bytes = await parse(`(module ${this.texts.join("\n")})`);
    const { globalDefinitions } = readCoreModule(bytes);
    for (const [i, { init }] of globalDefinitions.entries()) {
      this.fill[i]?.(readBits(new Reader(bytes, init.start, init.end)));
    }
  }
}

/** The operand of a `const` instruction, little-endian. */
function readBits(reader: Reader): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  switch (reader.byte()) {
    case 0x41:
      view.setInt32(0, reader.s32(), true);
      return new Uint8Array(view.buffer);
    case 0x42:
      view.setBigInt64(0, reader.s64(), true);
      return new Uint8Array(view.buffer);
    case 0xfd:
      reader.u32();
  }
  return reader.bytes.slice(reader.position, reader.end - 1);
}
