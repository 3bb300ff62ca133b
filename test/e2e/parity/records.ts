import { mkdir, readFile } from "node:fs/promises";
import type { HookEvent, Outcome } from "#src/index";
import { folder } from "../../support/cli.js";

/** One file of events each. */
export const RECORDS = [
  "preGeneration",
  "preToolCall",
  "postToolCall-success",
  "postToolCall-failure",
  "postGeneration",
] as const;
export type RecordName = (typeof RECORDS)[number];

/** What the specification has the guard decide in the `mm` dialect; `fails` is why it gives up. */
export type Expected = Partial<Omit<Outcome, "notices" | "runs">> & { notice?: string; fails?: string };

export interface Recorded {
  name: string;
  event: HookEvent;
  expected: Expected;
}

/** Where the agent works, in the records. */
const PROJECT = "/home/ada/shop";

/** The events of a file in order, with what is expected of each, as if recorded in a new directory. */
export async function readRecords(record: RecordName): Promise<Recorded[]> {
  const lines = (await readText(`events/${record}.jsonl`)).trimEnd().split("\n");
  const expected = JSON.parse(await readText(`expected/${record}.json`)) as Record<string, Expected>;
  const project = await folder();
  const moved = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(PROJECT, project)) as Value;
  const records = lines.map((line) => {
    const { name, event } = JSON.parse(line) as Omit<Recorded, "expected">;
    const said = expected[name];
    if (said === undefined) throw new Error(`nothing is expected of "${name}", or there are two of it`);
    delete expected[name];
    return { name, event: eventIn(moved, event), expected: expectedIn(moved, said) };
  });
  const left = Object.keys(expected);
  if (left.length > 0) throw new Error(`no event is called "${left.join('", "')}"`);
  await Promise.all(records.map(({ event }) => mkdir(event.cwd, { recursive: true })));
  return records;
}

function readText(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), "utf8");
}

type Move = <Value>(value: Value) => Value;

/** Outputs and prompts stay as they are, so that no text grows beyond what the guard reads of it. */
function eventIn(moved: Move, { cwd, tool, ...rest }: HookEvent): HookEvent {
  return { ...rest, cwd: moved(cwd), ...(tool && { tool: { ...tool, input: moved(tool.input) } }) };
}

function expectedIn(moved: Move, { reason, input, ...rest }: Expected): Expected {
  return { ...rest, ...(reason && { reason: moved(reason) }), ...(input && { input: moved(input) }) };
}
