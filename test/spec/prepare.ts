import { parse } from "@bytecodealliance/jco-transpile/wasm-tools";
import { type Constant, ConstantPool } from "./constants.js";
import { type Action, type Command, type ModuleSource, readScript } from "./script.js";

/** A command with its module as bytes and its constants read. */
export interface Step {
  readonly command: Command;
  /** of the command's module; undefined where the assembler refuses the text */
  readonly bytes?: Uint8Array;
  readonly args: readonly Constant[];
  readonly results: readonly Constant[];
}

export async function prepare(text: string): Promise<Step[]> {
  const pool = new ConstantPool();
  const steps: Step[] = [];
  for (const command of readScript(text)) {
    const bytes = "module" in command ? await toBytes(command.module) : undefined;
    const action: Action | undefined = "action" in command ? command.action : undefined;
    const args = (action?.args ?? []).map((node) => pool.add(node));
    const results = ("results" in command ? command.results : []).map((node) => pool.add(node));
    steps.push({ command, args, results, ...(bytes ? { bytes } : {}) });
  }
  await pool.resolve();
  return steps;
}

async function toBytes({ source }: ModuleSource): Promise<Uint8Array | undefined> {
  if (typeof source !== "string") return source;
  try {
    // The assembler takes characters that turn the direction of text for a trick, unless they are escaped.
    const escaped = source.replaceAll(
      /[\u202a-\u202e\u2066-\u2069]/g,
      (c) => `\\u{${c.charCodeAt(0).toString(16)}}`,
    );
    return await parse(escaped);
  } catch {
    return undefined;
  }
}
