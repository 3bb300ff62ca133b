import { Decision } from "./decision";
import { Event } from "./event";
import { log } from "./host";
import { Json } from "./json/json";
import { Output } from "./json/output";

// The canonical ABI of `handle: func(event: string) -> result<string, string>`. `wasmhook build` writes the
// function that calls these two with the author's `handle` in between.

/** A `result<string, string>`: 0 = ok or 1 = error, then the address and the size of the text. */
const RESULT: usize = memory.data(12);

/** The event of `size` bytes that the host wrote at `start`. */
export function eventAt(start: usize, size: usize): Event {
  const json = Json.read(start, size);
  assert(json !== null, "the event is not JSON");
  return new Event(json!);
}

/** The address of what the host reads as the answer. A hook's memory lives for one event: nothing is freed. */
export function answer(decision: Decision | null): usize {
  const text = new Output();
  let failed = false;
  if (decision !== null) {
    const failure = decision.failure;
    failed = failure !== null;
    if (failure !== null) text.plain(failure);
    else decision.json.write(text);
  }
  store<u32>(RESULT, failed ? 1 : 0);
  store<u32>(RESULT, text.start, 4);
  store<u32>(RESULT, text.size, 8);
  return RESULT;
}

/** Where the host asks for room for the event, and for the config. */
export function allocate(old: usize, oldSize: usize, align: usize, size: usize): usize {
  return old ? heap.realloc(old, size) : heap.alloc(max(size, 1));
}

/** What `assert`, `throw` and failed checks come to: the reason is logged, and the hook traps. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  const what = message === null ? "aborted" : message;
  const where = file === null ? "" : ` (${file}:${line}:${column})`;
  log.error(what + where);
  unreachable();
}
