import { resolve } from "node:path";
import { readModuleFile } from "../config/wasm-file.js";
import { WasmhookError } from "../errors.js";
import { mostOf } from "../hooks/module-limits.js";
import { printableJson } from "../hooks/printable.js";
import { describeFile } from "../sandbox/describe.js";
import { formatDescription } from "./description-text.js";
import { EXIT, type Io } from "./io.js";
import { parseOptions, usage } from "./options.js";

const HELP = `Usage: wasmhook inspect FILE [--json]

Shows what a hook module is before anybody runs it: whether it would be accepted, and if not why; what it imports
and exports; its functions, memory and tables; its size by section; what it says it was made with; its sha256.
Reads it with wasmhook's own reader, under the default limits. Nothing of it is compiled or run; what only an engine
finds, such as code of a wrong type, is told by wasmhook check.

Options:
  --json            print one JSON document
  -h, --help        print this

Exit codes: 0 accepted, 1 refused, or no file that can be read

Examples:
  wasmhook inspect hooks/guard.wasm
  wasmhook inspect --json hooks/guard.wasm
`;

const OPTIONS = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

export async function inspect(args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw usage("give one FILE");
  // A file that is too large for a hook is described all the same, as long as some declaration could allow it.
  const read = await readModuleFile(resolve(file), { fileBytes: mostOf("fileBytes") });
  if (read instanceof WasmhookError) throw read;
  const { refusal, ...description } = describeFile(read.bytes);
  const accepted = refusal === undefined;
  if (values.json === true) {
    const error = accepted ? {} : { error: { code: refusal.code, message: refusal.message } };
    io.stdout.write(`${printableJson({ file, accepted, ...error, sha256: read.sha256, ...description })}\n`);
  } else {
    io.stdout.write(formatDescription({ file, sha256: read.sha256, refusal, ...description }, io.color));
  }
  return accepted ? EXIT.ok : EXIT.failed;
}
