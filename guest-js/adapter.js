import { log } from "./hook.js";

// What a script prints is its log, as it is for a program.
globalThis.console = {
  debug: (...values) => log.debug(line(values)),
  log: (...values) => log.info(line(values)),
  info: (...values) => log.info(line(values)),
  warn: (...values) => log.warn(line(values)),
  error: (...values) => log.error(line(values)),
};

function line(values) {
  return values.map((value) => (isPlain(value) ? JSON.stringify(value) : String(value))).join(" ");
}

function isPlain(value) {
  return typeof value === "object" && value !== null && !(value instanceof Error);
}

/** Puts an author's `handle` behind the interface of the world: JSON in, JSON out, an exception as the error. */
export function handlerOf(handle) {
  if (typeof handle !== "function") throw new TypeError("handle is no function");
  return {
    handle(text) {
      try {
        return answer(handle(JSON.parse(text)));
      } catch (thrown) {
        throw thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
      }
    },
  };
}

function answer(decision) {
  if (decision === undefined || decision === null) return "";
  if (typeof decision.then === "function") {
    throw new TypeError("handle gave a promise: it has to give its decision at once, without async");
  }
  const json = JSON.stringify(decision);
  if (json === undefined) throw new TypeError(`handle gave a ${typeof decision}, which is no decision`);
  return json;
}
