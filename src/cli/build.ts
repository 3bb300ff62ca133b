import { realpath } from "node:fs/promises";
import { LANGUAGES, SOURCE_NAME } from "../build/language.js";
import { writeAtomically } from "../build/write-atomically.js";
import { buildSource } from "./build-source.js";
import { EXIT, type Io } from "./io.js";
import { oneOf, parseOptions, usage } from "./options.js";

const HELP = `Usage: wasmhook build SOURCE [-o FILE] [--lang LANG]

Makes a hook module of a source that exports handle. In TypeScript (.ts, .mts), or in JavaScript (.js, .mjs) without
the types:

  import type { PreToolCallDecision, TypedEvent } from "wasmhook/types";
  export function handle(event: TypedEvent): PreToolCallDecision { ... }

It needs npm install --save-dev componentize-qjs@0.4 esbuild, and takes in all that the source imports. The top level
of the source runs while it is built. In AssemblyScript, which makes far smaller and faster modules:

  import { Decision, Event, deny } from "wasmhook/guest";
  export function handle(event: Event): Decision | null { ... }

It needs npm install --save-dev assemblyscript@0.28. A .ts that imports from "wasmhook/guest" is AssemblyScript, any
other is TypeScript.

Options:
  -o, --out FILE    where to write the module (default: SOURCE with .wasm for its end); never over a source
  --lang LANG       as, ts or js: what the source is written in, where that is not to be told as above
  -h, --help        print this

Prints the path of the module. Exit codes: 0 built, 1 not built (why is on stderr)

Examples:
  wasmhook build no-force-push.ts
  wasmhook build src/guard.js -o hooks/guard.wasm
  wasmhook build --lang as src/entry.ts
`;

const OPTIONS = {
  out: { type: "string", short: "o" },
  lang: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export async function build(args: string[], io: Pick<Io, "stdout" | "stderr">): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [source] = positionals;
  if (source === undefined || positionals.length > 1) throw usage("give one SOURCE");
  const out = values.out ?? source.replace(SOURCE_NAME, ".wasm");
  await refuseSource(out, source);
  const language = values.lang === undefined ? undefined : oneOf(LANGUAGES, "--lang", values.lang);
  const bytes = await buildSource(source, io, { language });
  await writeAtomically(out, bytes);
  io.stderr.write(`built ${out}: ${bytes.length.toLocaleString("en")} bytes\n`);
  io.stdout.write(`${out}\n`);
  return EXIT.ok;
}

/** What is written there replaces what was there: a mistyped name must not cost the author a source. */
async function refuseSource(out: string, source: string): Promise<void> {
  if (!SOURCE_NAME.test(out) && !(await isSameFile(out, source))) return;
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
