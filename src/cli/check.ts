import { problemLine } from "../config/problem-line.js";
import { WasmhookError } from "../errors.js";
import { declaredKind, type Hook, hookLabel } from "../hooks/hook.js";
import { printable, printableLine } from "../hooks/printable.js";
import type { Hooks } from "../load-hooks.js";
import { EXIT, type Io } from "./io.js";
import { loadHere } from "./load-here.js";
import { CONFIG_OPTIONS, parseOptions } from "./options.js";

const HELP = `Usage: wasmhook check --config FILE [--dialect mm|mnemoai] [--json]

Loads everything that a run would need, wasm modules included, and runs nothing.

Options:
  --config FILE     the agent's YAML (mm) or hooks.json (mnemoai)
  --dialect NAME    mm or mnemoai, where the file does not tell
  --json            print one JSON document
  -h, --help        print this

Exit codes: 0 all hooks load, 1 something is wrong (each problem on a line of stderr)

Examples:
  wasmhook check --config agent.yaml
`;

interface Checked {
  hook: Hook;
  error?: WasmhookError;
}

export async function check(args: string[], io: Io): Promise<number> {
  const { values } = parseOptions(args, CONFIG_OPTIONS);
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  await using hooks = await loadHere(values);
  const checked = await prepareAll(hooks);
  if (values.json === true) io.stdout.write(`${JSON.stringify(asJson(hooks, checked), null, 2)}\n`);
  else printLines(hooks, checked, io);
  return hooks.problems.length === 0 && checked.every(({ error }) => error === undefined)
    ? EXIT.ok
    : EXIT.failed;
}

async function prepareAll(hooks: Hooks): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const hook of hooks.hooks) {
    try {
      await hooks.prepare(hook);
      checked.push({ hook });
    } catch (error) {
      if (!(error instanceof WasmhookError)) throw error;
      checked.push({ hook, error });
    }
  }
  return checked;
}

function printLines(hooks: Hooks, checked: Checked[], io: Io): void {
  for (const problem of hooks.problems) io.stderr.write(`${problemLine(problem)}\n`);
  for (const { hook, error } of checked) {
    if (error === undefined)
      io.stdout.write(`ok  ${hook.id}  ${printableLine(hookLabel(hook), 60)}${moduleOf(hook)}\n`);
    // A broken hook's problem has been told, with its line.
    else if (hook.runner.kind !== "broken")
      io.stderr.write(`${hooks.config.file}: ${hook.id}: ${printable(error.message)} [${error.code}]\n`);
  }
  if (checked.length === 0 && hooks.problems.length === 0)
    io.stdout.write(`${printableLine(hooks.config.file)} declares no hooks\n`);
}

function moduleOf({ runner }: Hook): string {
  if (runner.kind !== "wasm") return "";
  return `  ${runner.bytes.length.toLocaleString("en")} bytes  sha256:${runner.sha256}`;
}

function asJson(hooks: Hooks, checked: Checked[]): object {
  return {
    file: hooks.config.file,
    hooks: checked.map(({ hook, error }) => ({
      hook: hook.id,
      runner: declaredKind(hook),
      label: hookLabel(hook),
      ...(hook.runner.kind === "wasm" ? { sha256: hook.runner.sha256 } : {}),
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    })),
    problems: hooks.problems,
  };
}
