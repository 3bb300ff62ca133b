import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { WasmhookError } from "../errors.js";
import { MOMENTS } from "../hooks/event.js";
import { EXIT, type Io } from "./io.js";
import { projectOf } from "./new/project.js";
import { NEW_LANGUAGES } from "./new/source.js";
import { oneOf, parseOptions, required, usage } from "./options.js";

const HELP = `Usage: wasmhook new NAME --lang LANG [--event MOMENT]

Makes a folder NAME with a new hook in it: its source, two events with what they should come to, and a README. It
builds, and passes its test, as it is. A folder that is there already is left alone.

Options:
  --lang LANG       as (AssemblyScript: small and fast) or ts (TypeScript), which wasmhook builds itself; or c, rust or
                    go, of which your compiler makes a WASI command
  --event MOMENT    ${MOMENTS.join(", ")}: when it runs (default: preToolCall)
  -h, --help        print this

Prints the two commands to type next. Exit codes: 0 made, 1 not made (why is on stderr)

Examples:
  wasmhook new no-sudo --lang ts
  wasmhook new hooks/greeting --lang as --event preGeneration
`;

const OPTIONS = {
  lang: { type: "string" },
  event: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** What packages, files and folders may be called everywhere. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

export async function create(args: string[], io: Pick<Io, "stdout" | "stderr">): Promise<number> {
  const { values, positionals } = parseOptions(args, OPTIONS, { positionals: true });
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw usage("give one NAME");
  const name = basename(folder);
  if (!PLAIN_NAME.test(name)) {
    throw usage(`${name} is no name for a hook: use lower-case letters, digits and -, such as no-sudo`);
  }
  const language = oneOf(NEW_LANGUAGES, "--lang", required(values.lang, "--lang LANG"));
  const moment = oneOf(MOMENTS, "--event", values.event ?? "preToolCall");
  const { files, next } = projectOf(name, language, moment, version());
  await writeNew(folder, files);
  io.stderr.write(`made ${folder}: ${Object.keys(files).join(", ")}\n`);
  io.stdout.write(`cd ${quoted(folder)} && ${next[0]}\n${next[1]}\n`);
  return EXIT.ok;
}

/** As a shell reads it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** @throws WasmhookError `file-unwritable` where the folder is there, or cannot be made */
async function writeNew(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    await mkdir(dirname(folder), { recursive: true });
    // The folder itself has to be new, so that nothing in it is anybody's.
    await mkdir(folder);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text, { flag: "wx" });
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const says =
      code === "EEXIST"
        ? `${folder} is there already: give another name`
        : `${folder} cannot be made: ${message}`;
    throw new WasmhookError("file-unwritable", says, { cause: message });
  }
}

function version(): string {
  return (createRequire(import.meta.url)("../../package.json") as { version: string }).version;
}
