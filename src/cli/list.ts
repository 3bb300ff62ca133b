import { loadConfig } from "../config/load-config.js";
import { shownListing } from "../config/shown.js";
import { dialectNamed } from "../dialects/dialects.js";
import { declaredKind, hookLabel } from "../hooks/hook.js";
import { EXIT, type Io } from "./io.js";
import { CONFIG_OPTIONS, dialectOption, parseOptions, required } from "./options.js";

const HELP = `Usage: wasmhook list --config FILE [--dialect mm|mnemoai] [--json]

Lists the hooks of a config file, by event and in the order in which they run, and what is wrong with it.

Options:
  --config FILE     the agent's YAML (mm) or hooks.json (mnemoai)
  --dialect NAME    mm or mnemoai, where the file does not tell
  --json            print one JSON document
  -h, --help        print this

Exit codes: 0 listed, 1 the file could not be read

Examples:
  wasmhook list --config agent.yaml
`;

export async function list(args: string[], io: Io): Promise<number> {
  const { values } = parseOptions(args, CONFIG_OPTIONS);
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const config = await loadConfig(required(values.config, "--config FILE"), dialectOption(values.dialect));
  const dialect = dialectNamed(config.dialect);
  if (values.json === true) {
    const hooks = config.hooks.map((hook) => ({
      hook: hook.id,
      event: dialect.eventName(hook),
      matcher: hook.matcher.source || "*",
      runner: declaredKind(hook),
      label: hookLabel(hook),
      onError: hook.onError,
      may: [...hook.may],
    }));
    io.stdout.write(`${JSON.stringify({ file: config.file, hooks, problems: config.problems }, null, 2)}\n`);
    return EXIT.ok;
  }
  io.stdout.write(`${shownListing(config)}\n`);
  return EXIT.ok;
}
