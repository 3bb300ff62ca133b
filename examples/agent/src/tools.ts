import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Call, JsonObject, ToolResult } from "wasmhook";
import type { ToolName } from "./agent-file.js";
import type { ToolDescription } from "./model.js";

const MOST_OUTPUT_BYTES = 1024 * 1024;

function described(description: string, fields: Record<string, string>): Omit<ToolDescription, "name"> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, about]) => [name, { type: "string", description: about }]),
  );
  return { description, parameters: { type: "object", properties, required: Object.keys(fields) } };
}

const DESCRIPTIONS: Record<ToolName, Omit<ToolDescription, "name">> = {
  bash: described("Runs a command.", { command: "The command line." }),
  fs_read: described("Reads a file.", { path: "Its path." }),
  fs_write: described("Writes a file.", { path: "Its path.", content: "What is to stand in it." }),
  delegate: described("Has another agent, with the same tools, do a part of the work.", {
    task: "All that it needs to know.",
  }),
};

export function describeTools(names: readonly ToolName[]): ToolDescription[] {
  return names.map((name) => ({ name, ...DESCRIPTIONS[name] }));
}

/** Makes a call, of which every gate has been passed. */
export async function runTool(
  { name, input }: Call,
  cwd: string,
  delegate: (task: string) => Promise<string>,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  switch (name) {
    case "bash":
      return await bash(text(input, "command"), cwd, signal);
    case "fs_read":
      return { output: await readFile(resolve(cwd, text(input, "path")), "utf8") };
    case "fs_write":
      await writeFile(resolve(cwd, text(input, "path")), text(input, "content"));
      return { output: "written" };
    case "delegate":
      return { output: await delegate(text(input, "task")) };
    default:
      return { error: `there is no tool ${name}` };
  }
}

function bash(command: string, cwd: string, signal: AbortSignal | undefined): Promise<ToolResult> {
  const options = { cwd, maxBuffer: MOST_OUTPUT_BYTES, ...(signal === undefined ? {} : { signal }) };
  return new Promise((done) => {
    execFile("bash", ["-c", command], options, (error, stdout, stderr) => {
      done(error === null ? { output: stdout + stderr } : { error: stdout + stderr || error.message });
    });
  });
}

function text(input: JsonObject, field: string): string {
  const value = input[field];
  if (typeof value !== "string") throw new Error(`"${field}" is to be a text`);
  return value;
}
