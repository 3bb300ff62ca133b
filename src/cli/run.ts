import { problemLine } from "../config/problem-line.js";
import { dialectNamed } from "../dialects/dialects.js";
import type { Outcome } from "../hooks/outcome.js";
import { printable } from "../hooks/printable.js";
import { requireLoaded } from "../load-hooks.js";
import { EXIT, type Io } from "./io.js";
import { loadHere } from "./load-here.js";
import { CONFIG_OPTIONS, parseOptions } from "./options.js";
import { formatOutcome } from "./outcome-text.js";
import { readEvent } from "./read-event.js";

const HELP = `Usage: wasmhook run --config FILE [--event FILE] [--dialect mm|mnemoai] [--json]

Runs one event through the hooks of a config file and prints what they decided.
The event is one JSON object in the agent's own spelling, from stdin or from --event.

Options:
  --config FILE     the agent's YAML (mm) or hooks.json (mnemoai)
  --event FILE      read the event from a file instead of stdin
  --dialect NAME    mm or mnemoai, where the file does not tell
  --json            print the outcome as one JSON document
  -h, --help        print this

Exit codes:
  0  go on: nothing was refused
  2  a hook denied or stopped; the reason is on stderr
  1  wasmhook could not do its job: bad usage, event or config

Examples:
  echo '{"event":"preToolCall","cwd":"/tmp","tool":{"name":"bash","input":{"command":"ls"}}}' \\
    | wasmhook run --config agent.yaml
  wasmhook run --config ~/.mnemoai/hooks/hooks.json --event event.json --json
`;

const OPTIONS = { ...CONFIG_OPTIONS, event: { type: "string" } } as const;

export async function run(args: string[], io: Io): Promise<number> {
  const { values } = parseOptions(args, OPTIONS);
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  await using hooks = await loadHere(values);
  for (const problem of hooks.problems) io.stderr.write(`${problemLine(problem)}\n`);
  requireLoaded(hooks.config);
  const event = dialectNamed(hooks.config.dialect).decodeEvent(await readEvent(values.event, io));
  const outcome = await hooks.run(event);
  io.stdout.write(
    values.json === true ? `${JSON.stringify(outcome, null, 2)}\n` : formatOutcome(outcome, io.color),
  );
  return exitCode(outcome, io);
}

function exitCode(outcome: Outcome, io: Io): number {
  if (outcome.decision !== "deny" && outcome.decision !== "stop") return EXIT.ok;
  io.stderr.write(`${printable(outcome.reason ?? "a hook refused and gave no reason")}\n`);
  return EXIT.refused;
}
