import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ValueTypes } from "#src/sandbox/binary/core-types";
import type { Program } from "./programs/program.js";
import { GLOBAL_TYPES } from "./programs/shapes.js";
import { callsOf } from "./trace.js";

const SCRIPT = fileURLToPath(new URL("../../scripts/wasmtime-oracle.py", import.meta.url));

/** What `scripts/wasmtime-oracle.py` says of one program. */
export interface WasmtimeTrace {
  readonly calls: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly results: readonly string[];
    readonly fuel: number;
  }[];
  readonly log: readonly number[];
  /** SHA-256, in hexadecimal */
  readonly memory: string;
  readonly globals: readonly string[];
}

/** Runs programs on Wasmtime; a string says why that cannot be done here. */
export async function onWasmtime(programs: readonly Program[]): Promise<WasmtimeTrace[] | string> {
  const child = spawn("python3", [SCRIPT], { stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  // It may be gone before it has read all.
  child.stdin.on("error", () => {});
  child.stdin.end(programs.map((one) => `${JSON.stringify(toJson(one))}\n`).join(""));
  const status = await new Promise<number | string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code ?? "killed"));
  });
  if (typeof status === "string") return status;
  if (status === 3) return errors.trim().split("\n").at(-1) ?? "";
  if (status !== 0) throw new Error(`the script ended with ${status}: ${errors}`);
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as WasmtimeTrace);
}

function toJson(program: Program): object {
  const nameOf = (type: number) => Object.entries(ValueTypes).find(([, byte]) => byte === type)?.[0];
  return {
    wasm: Buffer.from(program.bytes).toString("base64"),
    calls: callsOf(program).map(({ name, type, args }) => ({
      name,
      args: args.map((arg, i) => [nameOf(type.params[i] ?? 0), String(arg)]),
    })),
    globals: GLOBAL_TYPES.map((_, i) => `global${i}`),
  };
}
