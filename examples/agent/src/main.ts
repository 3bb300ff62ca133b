#!/usr/bin/env node
import { parseArgs } from "node:util";
import { formatProblem, loadHooks } from "wasmhook";
import { acpMode } from "./acp-mode.js";
import { readAgentFile } from "./agent-file.js";
import { chatModel } from "./chat-model.js";
import { lineMode } from "./line-mode.js";
import { scriptedModel } from "./scripted-model.js";

const USAGE = "Usage: agent AGENT.yaml [--script TURNS.yaml] [--acp]\n";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).map((arg) => (arg === "-acp" ? "--acp" : arg)),
  options: { script: { type: "string" }, acp: { type: "boolean" } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const hooks = await loadHooks(file);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
for (const problem of hooks.problems) process.stderr.write(`${formatProblem(problem)}\n`);
if (!hooks.config.loaded) process.exit(1);
try {
  const agent = await readAgentFile(file);
  const model = values.script === undefined ? chatModel(agent.model) : await scriptedModel(values.script);
  await (values.acp ? acpMode : lineMode)(agent, hooks, model);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await hooks.close();
}
