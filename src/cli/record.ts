import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../build/write-atomically.js";
import { WasmhookError } from "../errors.js";
import { isJsonObject, type JsonObject, jsonDepth, MAX_JSON_DEPTH } from "../hooks/json.js";
import { EXIT, type Io } from "./io.js";
import { parseOptions, required, usage } from "./options.js";
import { readEvent } from "./read-event.js";
import { eventNameOf, recordedName } from "./record/recorded-name.js";
import { redact } from "./record/redact.js";

const DEFAULT_MOST = 1000;

const HELP = `Usage: wasmhook record --to DIR [--redact PATH]... [--most N]

Saves the event on stdin to a file in DIR, as the agent spells it, and answers nothing: declare it as a command hook
of any agent, and wasmhook test --events DIR runs hooks over what it saved. The same event is saved once. Only you can
read the files.

Options:
  --to DIR          the folder, made where there is none
  --redact PATH     take out what stands there, as often as needed: names with dots between them, * for any one name,
                    ** for any number. Texts become [redacted], numbers 0; names of fields stay
  --most N          save no more where DIR holds so many (default: ${DEFAULT_MOST})
  -h, --help        print this

Exit codes: 0 saved, or there are enough; 1 not saved (why is on stderr)

Examples:
  wasmhook record --to recorded < event.json
  wasmhook record --to recorded --redact cwd --redact 'tool.input.env.*' --redact '**.token'

In an agent's YAML (mm):
  hooks:
    preToolCall:
      - command: wasmhook record --to "$MM_CONFIG_DIR/recorded" --redact '**.token'
`;

const OPTIONS = {
  to: { type: "string" },
  redact: { type: "string", multiple: true },
  most: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export async function record(args: string[], io: Io): Promise<number> {
  const { values } = parseOptions(args, OPTIONS);
  if (values.help === true) {
    io.stdout.write(HELP);
    return EXIT.ok;
  }
  const folder = required(values.to, "--to DIR");
  const most = wholeNumber(values.most);
  const event = redacted(asEvent(await readEvent(undefined, io)), values.redact ?? []);
  const contents = `${JSON.stringify(event, null, 2)}\n`;
  const file = join(folder, recordedName(event, contents));
  if (await exists(file)) return EXIT.ok;
  if ((await countIn(folder)) >= most) {
    io.stderr.write(
      `${folder} holds ${most} events, and no more are saved: move some away, or raise --most\n`,
    );
    return EXIT.ok;
  }
  await writeAtomically(file, contents, { code: "file-unwritable", private: true });
  return EXIT.ok;
}

function wholeNumber(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MOST;
  if (!/^\d{1,9}$/.test(text)) throw usage(`--most ${text} is no whole number: give such as ${DEFAULT_MOST}`);
  return Number(text);
}

/** An agent's spelling need not be one that is known here. */
function asEvent(value: unknown): JsonObject {
  if (!isJsonObject(value)) {
    throw new WasmhookError("event-not-object", "the event is not a JSON object: give one object", {});
  }
  if (jsonDepth(value) > MAX_JSON_DEPTH) {
    const message = `the event is nested deeper than ${MAX_JSON_DEPTH} levels: no hook could get it`;
    throw new WasmhookError("bad-event", message, { field: "" });
  }
  return value;
}

/** @throws WasmhookError `usage` where a path names the event's own name, without which it is none */
function redacted(event: JsonObject, paths: readonly string[]): JsonObject {
  let left = event;
  for (const path of paths) {
    const next = redact(left, path) as JsonObject;
    if (eventNameOf(next) !== eventNameOf(left)) {
      throw usage(`--redact ${path} would take out the name of the event: name what is in its fields`);
    }
    left = next;
  }
  return left;
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

/** Whoever writes there says what is wrong with a folder that cannot be read. */
async function countIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith(".json") && !name.endsWith(".expected.json")).length;
}
