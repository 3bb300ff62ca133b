import { isDeepStrictEqual } from "node:util";
import { writeAtomically } from "../../build/write-atomically.js";
import { readRegularFile } from "../../config/regular-file.js";
import { WasmhookError } from "../../errors.js";
import { isJsonObject, type JsonObject, jsonDepth, MAX_JSON_DEPTH } from "../../hooks/json.js";
import type { Outcome } from "../../hooks/outcome.js";
import { jsonFault } from "../json-fault.js";

/** As much as any answers of hooks come to. */
const LIMIT_BYTES = 256 * 1024 * 1024;

/** An outcome as an expectation has it: without the record of the runs, and with notices only where there are any. */
export function expectedOf({ runs: _, notices, ...outcome }: Outcome): JsonObject {
  return JSON.parse(JSON.stringify(notices.length === 0 ? outcome : { ...outcome, notices }));
}

/** Whether an outcome is what was expected, keys in any order. */
export function isMet(expected: JsonObject, outcome: Outcome): boolean {
  return isDeepStrictEqual(expectedOf(outcome), expected);
}

/**
 * What an event should come to; undefined where nobody has written it.
 * @throws WasmhookError `expected-unreadable`
 */
export async function readExpected(file: string): Promise<JsonObject | undefined> {
  const reading = await readRegularFile(file, LIMIT_BYTES);
  if ("bytes" in reading) return parseExpected(file, reading.bytes);
  if (reading.fault === "missing") return undefined;
  throw bad(file, `${file} cannot be read, ${reading.cause}`);
}

function parseExpected(file: string, bytes: Uint8Array): JsonObject {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad(file, `${file} is not JSON${jsonFault(text).says}`);
  }
  if (jsonDepth(value) > MAX_JSON_DEPTH) {
    throw bad(file, `${file} is nested deeper than any outcome: write what is expected, or use --update`);
  }
  if (isJsonObject(value)) return value;
  throw bad(file, `${file} is not a JSON object: write such as {"decision": "none"}, or use --update`);
}

function bad(file: string, message: string): WasmhookError<"expected-unreadable"> {
  return new WasmhookError("expected-unreadable", message, { file });
}

/** @throws WasmhookError `file-unwritable` */
export async function writeExpected(file: string, outcome: Outcome): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(expectedOf(outcome), null, 2)}\n`, {
    code: "file-unwritable",
  });
}
