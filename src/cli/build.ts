import { realpath } from "node:fs/promises";
import { writeAtomically } from "../build/write-atomically.js";
import { buildSource } from "./build-source.js";
import { EXIT, type Io } from "./io.js";
import { parseOptions, usage } from "./options.js";

const HELP = `Usage: wasmhook build SOURCE.ts [-o FILE]

Makes a hook module of an AssemblyScript source that exports

  import { Decision, Event, deny } from "wasmhook/guest";
  export function handle(event: Event): Decision | null { ... }

It needs the AssemblyScript compiler: npm install --save-dev assemblyscript@0.28

Options:
  -o, --out FILE    where to write the module (default: SOURCE with .wasm for .ts); never over a .ts file
  -h, --help        print this

Prints the path of the module. Exit codes: 0 built, 1 not built (why is on stderr)

Examples:
  wasmhook build no-force-push.ts
  wasmhook build src/guard.ts -o hooks/guard.wasm
`;

const OPTIONS = {
  out: { type: "string", short: "o" },
  help: { type: "boolean", short: "h" },
} as const;

export async function build(args: string[], io: Pick<Io, "stdout" | "stderr">): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [source] = positionals;
  if (source === undefined || positionals.length > 1) throw usage("give one SOURCE.ts");
  const out = values.out ?? source.replace(/\.ts$/, ".wasm");
  await refuseSource(out, source);
  const bytes = await buildSource(source, io);
  await writeAtomically(out, bytes);
  io.stderr.write(`built ${out}: ${bytes.length.toLocaleString("en")} bytes\n`);
  io.stdout.write(`${out}\n`);
  return EXIT.ok;
}

/** What is written there replaces what was there: a mistyped name must not cost the author a source. */
async function refuseSource(out: string, source: string): Promise<void> {
  if (!out.endsWith(".ts") && !(await isSameFile(out, source))) return;
  throw usage(`${out} is a source, and the module would replace it: give -o a name such as hook.wasm`);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  try {
    return (await realpath(one)) === (await realpath(other));
  } catch {
    // One of them is not there yet, or cannot be: whoever opens it says so.
    return false;
  }
}
