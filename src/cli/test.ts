import { dirname, join } from "node:path";
import type { LoadedConfig } from "../config/load-config.js";
import { problemLine } from "../config/problem-line.js";
import { printableJson } from "../hooks/printable.js";
import { hooksOf, requireLoaded } from "../load-hooks.js";
import { EXIT, type Io } from "./io.js";
import { dialectOption, parseOptions, usage } from "./options.js";
import { progress } from "./progress.js";
import { type CaseFiles, caseOf, casesIn } from "./test/case-files.js";
import { caseText, moduleLines, reportJson, summaryLine } from "./test/report.js";
import { type CaseResult, isFailure, runCase } from "./test/run-case.js";
import { loadSubject } from "./test/subject.js";
import { rerunOnChange, type WatchFolder } from "./test/watch.js";

const HELP = `Usage: wasmhook test HOOK [--events DIR | --event FILE [--expect FILE]] [options]

Runs hooks over saved events and holds what comes out against what is expected. HOOK is a module (.wasm), a
source (.ts, .js), which is built, or a config file, of which all hooks run or the one that --hook names. A module or
a source runs on every event, within the default limits.
An event is NAME.json, and what it should come to is in NAME.expected.json beside it: the outcome as run --json
prints it, without runs, and without notices where there are none.

Options:
  --events DIR      the events; the folder events beside HOOK unless it is given
  --event FILE      one event only
  --expect FILE     what it should come to, where that is not beside it
  --update          write what came out where it was expected, unless a hook failed
  --hook N          of a config file, only the hook of this number (from 1), id or label
  --config JSON     of a module or a source, the config that it gets
  --dialect NAME    mm or mnemoai: how the events are spelled, where the file does not tell
  --watch           run again whenever a file changes beside HOOK, its modules or the events, until Ctrl-C
  --no-times        leave out how long runs took, as is done where stdout is no terminal: the rest of what is
                    printed is the same for the same files
  --json            print one JSON document
  -h, --help        print this

Exit codes:
  0  all that is expected came, and what nobody expects did not fail
  1  something came otherwise, a hook failed unexpectedly, or a file is bad (it is named)

Examples:
  wasmhook test guard.ts --watch
  wasmhook test guard.wasm --event events/force.json --config '{"paths": ["secrets"]}'
  wasmhook test agent.yaml --hook 2 --events recorded --update
`;

const OPTIONS = {
  events: { type: "string" },
  event: { type: "string" },
  expect: { type: "string" },
  update: { type: "boolean" },
  hook: { type: "string" },
  config: { type: "string" },
  dialect: { type: "string" },
  watch: { type: "boolean" },
  "no-times": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>["values"];

export async function test(args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw usage("give one HOOK: a .wasm, a source or a config file");
  if (values.event !== undefined && values.events !== undefined)
    throw usage("give --event or --events, not both");
  if (values.expect !== undefined && values.event === undefined)
    throw usage("--expect is for one --event FILE");
  if (values.watch === true) return await rerunOnChange((watch) => testOnce(file, values, io, watch), io);
  return await testOnce(file, values, io, () => {});
}

async function testOnce(file: string, values: Values, io: Io, watch: WatchFolder): Promise<number> {
  watch(dirname(file));
  const { config, cases } = await prepare(file, values, io);
  for (const { eventFile } of cases) watch(dirname(eventFile));
  for (const { runner } of config.hooks) if (runner.kind === "wasm") watch(dirname(runner.file));
  for (const problem of config.problems) io.stderr.write(`${problemLine(problem)}\n`);
  requireLoaded(config);
  await using hooks = hooksOf(config);
  for (const hook of config.hooks) if (hook.runner.kind === "wasm") await hooks.prepare(hook);
  const times = io.stdout.isTTY === true && values["no-times"] !== true;
  const report = { color: io.color, times };
  const asText = values.json !== true;
  if (asText) io.stdout.write(moduleLines(config.hooks));
  const results: CaseResult[] = [];
  using _ = progress(io, () => `ran ${results.length} of ${cases.length} events`);
  for (const files of cases) {
    const result = await runCase(hooks, files, { update: values.update === true, io });
    results.push(result);
    if (asText) io.stdout.write(caseText(result, report));
  }
  io.stdout.write(
    asText ? summaryLine(results) : `${printableJson(reportJson(config.hooks, results, times))}\n`,
  );
  return config.problems.length > 0 || results.some(isFailure) ? EXIT.failed : EXIT.ok;
}

async function prepare(
  file: string,
  values: Values,
  io: Io,
): Promise<{ config: LoadedConfig; cases: CaseFiles[] }> {
  using _ = progress(io, () => `loading ${file}`);
  const { hook, config, dialect, event, expect, events } = values;
  const cases =
    event === undefined ? await casesIn(events ?? join(dirname(file), "events")) : [caseOf(event, expect)];
  return { config: await loadSubject(file, { hook, config, ...dialectOption(dialect) }, io), cases };
}
