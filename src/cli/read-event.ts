import { open } from "node:fs/promises";
import { WasmhookError } from "../errors.js";
import { EVENT_BYTES_LIMIT } from "../hooks/limits.js";
import type { Io } from "./io.js";
import { jsonFault } from "./json-fault.js";

/**
 * The JSON value of an event from a file, or from stdin where `file` is undefined.
 * @throws WasmhookError `event-unreadable`, `event-too-large` or `event-not-json`.
 */
export async function readEvent(file: string | undefined, io: Io): Promise<unknown> {
  if (file === undefined && io.stdin.isTTY === true) {
    io.stderr.write("reading the event from the terminal: end it with Ctrl-D, or use --event FILE\n");
  }
  const bytes = await (file === undefined ? collect(io.stdin) : readFile(file));
  return parseJson(decode(bytes));
}

async function readFile(file: string): Promise<Uint8Array> {
  try {
    await using handle = await open(file);
    return await collect(handle.createReadStream({ autoClose: false }));
  } catch (error) {
    if (error instanceof WasmhookError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new WasmhookError("event-unreadable", `cannot read the event from ${file}: ${cause}`, { file });
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes >= EVENT_BYTES_LIMIT) {
      const limit = `${EVENT_BYTES_LIMIT / 1024 / 1024} MiB`;
      throw new WasmhookError(
        "event-too-large",
        `the event has ${limit} or more: give one of less than ${limit}`,
        {
          bytes,
          limitBytes: EVENT_BYTES_LIMIT,
        },
      );
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WasmhookError(
      "event-not-json",
      "the event is not UTF-8 text: give one JSON object in UTF-8",
      {},
    );
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") {
    throw new WasmhookError("event-not-json", "the event is empty: give one JSON object", {});
  }
  try {
    return JSON.parse(text);
  } catch {
    const { at, says } = jsonFault(text);
    throw new WasmhookError("event-not-json", `the event is not JSON${says}`, at ?? {});
  }
}
