import { writeAtomically } from "../build/write-atomically.js";
import { dialectNamed } from "../dialects/dialects.js";
import { DEFAULT_LIMITS } from "../hooks/limits.js";
import { printable } from "../hooks/printable.js";
import { isCoreModule } from "../sandbox/inspect.js";
import { profile as profileRun } from "../sandbox/profile/profile.js";
import { readerOf } from "./hook-bytes.js";
import { EXIT, type Io } from "./io.js";
import { useQuickCompiler } from "./load-here.js";
import { dialectOption, parseOptions, required, usage } from "./options.js";
import { byFunction } from "./profile/by-function.js";
import { flameHtml } from "./profile/flame-html.js";
import { speedscope } from "./profile/speedscope.js";
import { tableText } from "./profile/table-text.js";
import { progress } from "./progress.js";
import { readEvent } from "./read-event.js";
import { parseConfig } from "./test/subject.js";

const HELP = `Usage: wasmhook profile HOOK --event FILE [options]

Runs a hook over one event, within the default limits, and shows where its fuel went: of each function what it used
itself, what it used with all that it called, and how often it was called. HOOK is a module (.wasm) or a source, which
is built. The sum is the fuel that the run takes without a profile too, to the unit. "(host)" is what comes before and
after the hook's own code; what the host does for a function is the function's.
Functions have the names of the module's name section: have your toolchain keep it.

Options:
  --event FILE         the event
  --to FILE            write a flame graph, a page of HTML
  --speedscope FILE    write the profile as JSON for speedscope
  --top N              how many functions to show (default: 20)
  --config JSON        the config that the hook gets
  --dialect NAME       mm or mnemoai: how the event is spelled (default: mm)
  -h, --help           print this

Exit codes: 0 shown, though the hook may have failed, which is told; 1 there is nothing to show (why is on stderr)

Examples:
  wasmhook profile guard.wasm --event events/force.json
  wasmhook profile guard.ts --event events/force.json --to flame.html
`;

const OPTIONS = {
  event: { type: "string" },
  to: { type: "string" },
  speedscope: { type: "string" },
  top: { type: "string" },
  config: { type: "string" },
  dialect: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export async function profile(args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [file] = positionals;
  const read = file === undefined ? undefined : readerOf(file, { names: true });
  if (file === undefined || read === undefined || positionals.length > 1) {
    throw usage("give one HOOK: a .wasm or a source");
  }
  const top = Number(values.top ?? 20);
  if (!Number.isInteger(top) || top < 1)
    throw usage(`--top ${values.top} is no number of functions: give such as 20`);
  const dialect = dialectNamed(dialectOption(values.dialect).dialect ?? "mm");
  const event = dialect.decodeEvent(await readEvent(required(values.event, "--event FILE"), io));
  const config = JSON.stringify(parseConfig(values.config));
  using _ = progress(io, () => `profiling ${file}`);
  const bytes = await read(file, io);
  useQuickCompiler();
  const { report, root, functions } = await profileRun(bytes, {
    event: isCoreModule(bytes) ? dialect.encodeStdin(event) : JSON.stringify(event),
    config,
    limits: DEFAULT_LIMITS,
  });
  const rows = byFunction(root, functions);
  const { result, fuelUsed } = report;
  const title = `${printable(file)}: ${fuelUsed.toLocaleString("en")} fuel`;
  if (values.to !== undefined) await write(values.to, flameHtml(title, root, functions));
  if (values.speedscope !== undefined) {
    await write(values.speedscope, `${JSON.stringify(speedscope(title, root, functions))}\n`);
  }
  const failed =
    "failure" in result ? `failed: ${printable(result.failure.message)} [${result.failure.code}]\n` : "";
  const rest = rows.length > top ? `and ${rows.length - top} more: --top ${rows.length}\n` : "";
  io.stdout.write(`${title}\n${failed}${tableText(rows.slice(0, top), fuelUsed)}${rest}`);
  return EXIT.ok;
}

function write(file: string, text: string): Promise<void> {
  return writeAtomically(file, text, { code: "file-unwritable" });
}
