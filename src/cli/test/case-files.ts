import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { WasmhookError } from "../../errors.js";

/** An event to try a hook on, and where it is written what it should come to. Neither file need be there yet. */
export interface CaseFiles {
  /** The event's file name without `.json`. */
  name: string;
  eventFile: string;
  expectedFile: string;
}

const EVENT = ".json";
const EXPECTED = ".expected.json";

/** The case of one event. What it should come to stands beside it, unless a file for that is given. */
export function caseOf(eventFile: string, expectedFile?: string): CaseFiles {
  const stem = eventFile.endsWith(EVENT) ? eventFile.slice(0, -EVENT.length) : eventFile;
  const name = stem.slice(stem.search(/[^/\\]*$/));
  return { name, eventFile, expectedFile: expectedFile ?? `${stem}${EXPECTED}` };
}

/**
 * The cases of a folder by name: each `NAME.json`, and what it should come to in `NAME.expected.json`.
 * @throws WasmhookError `event-unreadable` where there is none, or where an expectation has no event
 */
export async function casesIn(folder: string): Promise<CaseFiles[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(EVENT)).sort();
  const events = names.filter((name) => !name.endsWith(EXPECTED));
  const orphan = names.find(
    (name) => name.endsWith(EXPECTED) && !events.includes(name.replace(EXPECTED, EVENT)),
  );
  if (orphan !== undefined) {
    const file = join(folder, orphan);
    const event = orphan.replace(EXPECTED, EVENT);
    throw unreadable(file, `${file} has no event beside it: add ${event}, or remove it`);
  }
  if (events.length === 0) throw unreadable(folder, `there is no event in ${folder}: save one as NAME.json`);
  return events.map((name) => caseOf(join(folder, name)));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw unreadable(
      folder,
      `cannot read events from ${folder}, ${cause}: give --event FILE or --events DIR`,
    );
  }
}

function unreadable(file: string, message: string): WasmhookError<"event-unreadable"> {
  return new WasmhookError("event-unreadable", message, { file });
}
