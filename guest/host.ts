import { Json } from "./json/json";
import { Output } from "./json/output";

// What the host of the `hook` world gives, in the canonical ABI: a string is an address and a size in bytes
// of UTF-8; a function that returns one gets the address of a place for the two.

// @ts-ignore: decorator
@external("wasmhook:hook/host@1.0.0", "log")
declare function hostLog(level: i32, start: usize, size: usize): void;

// @ts-ignore: decorator
@external("wasmhook:hook/host@1.0.0", "config")
declare function hostConfig(place: usize): void;

const CONFIG: usize = memory.data(8);

let known: Json | null = null;

/**
 * The `config:` block of this hook's declaration; of kind `Null` where it has none. Read once: a change to
 * it stays for the rest of the event.
 */
export function config(): Json {
  if (known === null) {
    hostConfig(CONFIG);
    const json = Json.read(load<u32>(CONFIG), load<u32>(CONFIG, 4));
    assert(json !== null, "the host gave a config that is no JSON");
    known = json;
  }
  return known!;
}

/** Lines for the user, in the log of this run; the model never reads them. */
export namespace log {
  export function debug(message: string): void {
    write(0, message);
  }

  export function info(message: string): void {
    write(1, message);
  }

  export function warn(message: string): void {
    write(2, message);
  }

  export function error(message: string): void {
    write(3, message);
  }
}

function write(level: i32, message: string): void {
  const bytes = new Output();
  bytes.plain(message);
  hostLog(level, bytes.start, bytes.size);
}
