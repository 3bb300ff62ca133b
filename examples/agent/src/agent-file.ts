import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";

const TOOL_NAMES = ["bash", "fs_read", "fs_write", "delegate"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

const AgentFile = z.looseObject({
  model: z.object({
    /** An OpenAI-compatible endpoint, up to `/chat/completions`. */
    url: z.url(),
    name: z.string().default("default"),
    /** The environment variable that holds the key. */
    keyFrom: z.string().optional(),
  }),
  system: z.string().default("You are a careful assistant for a programmer."),
  tools: z.array(z.enum(TOOL_NAMES)).default([...TOOL_NAMES]),
  /** Whether calls are made without asking. */
  yolo: z.boolean().default(false),
});

/** An agent's YAML, apart from its hooks, which the library reads. */
export type AgentFile = z.infer<typeof AgentFile>;

/** @throws Error that says what is wrong, and where */
export async function readAgentFile(file: string): Promise<AgentFile> {
  const read = AgentFile.safeParse(parse(await readFile(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}
