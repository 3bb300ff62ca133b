import { WasmhookError } from "../errors.js";
import { printableLine } from "../hooks/printable.js";
import type { ArtefactCache, CacheContents } from "../sandbox/cache/artefact-cache.js";
import { userCache } from "../sandbox/cache/user-cache.js";
import { EXIT, type Io } from "./io.js";
import { parseOptions } from "./options.js";

const HELP = `Usage: wasmhook cache [--clear] [--json]

Shows the cache: wasm modules as they are once checked and metered, so that the next run need not do it again.
It is safe to clear at any time, and keeps within its bound by itself: what was not used for longest goes first.

Options:
  --clear           remove what is in it
  --json            print one JSON document
  -h, --help        print this

Environment:
  WASMHOOK_CACHE_DIR   its folder; empty for no cache at all. Where it is not set: wasmhook in XDG_CACHE_HOME
                       or ~/.cache, on macOS in ~/Library/Caches

Exit codes: 0 shown or cleared, 1 it could not be

Examples:
  wasmhook cache
  wasmhook cache --clear
`;

const OPTIONS = {
  clear: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export async function cache(args: string[], io: Io): Promise<number> {
  const { values } = parseOptions(args, OPTIONS);
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const found = userCache();
  const { document, text } = await (values.clear === true ? cleared : shown)(found);
  io.stdout.write(values.json === true ? `${JSON.stringify(document, null, 2)}\n` : `${text}\n`);
  return EXIT.ok;
}

interface Told {
  document: object;
  text: string;
}

const NONE: Told = {
  document: { folder: null },
  text: "there is no cache: set WASMHOOK_CACHE_DIR, or a HOME, to have one",
};

async function shown(cache: ArtefactCache | undefined): Promise<Told> {
  if (cache === undefined) return NONE;
  const { folder, limitBytes } = cache;
  const fault = await cache.fault();
  if (fault !== undefined) {
    return {
      document: { folder, fault },
      text: `${printableLine(folder)}\nis not used, ${fault}`,
    };
  }
  const contents = await orUnusable(folder, () => cache.contents());
  return {
    document: { folder, ...contents, limitBytes },
    text: `${printableLine(folder)}\n${counted(contents)}, of at most ${limitBytes.toLocaleString("en")}`,
  };
}

async function cleared(cache: ArtefactCache | undefined): Promise<Told> {
  if (cache === undefined) return NONE;
  const { folder } = cache;
  const fault = await cache.fault();
  if (fault !== undefined) throw unusable(folder, fault);
  const removed = await orUnusable(folder, () => cache.clear());
  return { document: { folder, removed }, text: `${printableLine(folder)}\nremoved ${counted(removed)}` };
}

function counted({ artefacts, bytes }: CacheContents): string {
  return `${artefacts} module${artefacts === 1 ? "" : "s"}, ${bytes.toLocaleString("en")} bytes`;
}

/** @throws WasmhookError `cache-unusable` */
async function orUnusable(folder: string, act: () => Promise<CacheContents>): Promise<CacheContents> {
  try {
    return await act();
  } catch (error) {
    throw unusable(folder, error instanceof Error ? error.message : String(error));
  }
}

function unusable(folder: string, cause: string): WasmhookError<"cache-unusable"> {
  return new WasmhookError("cache-unusable", `${folder} is not used as a cache, ${cause}`, { cause });
}
