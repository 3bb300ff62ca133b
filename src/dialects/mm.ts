import { parseEvent } from "../hooks/parse-event.js";
import type { Dialect } from "./dialect.js";
import { commandFailed, readDecision } from "./reading.js";

/** The `mm` agent. Its spelling of events and decisions is the canonical one. Source: the `mm` hook guide. */
export const mm: Dialect = {
  name: "mm",
  listingTitle: "Hooks",
  eventName: ({ moment }) => moment,
  shell: ["sh", "-c"],
  decodeEvent: parseEvent,
  encodeStdin: (event) => JSON.stringify(event),
  commandEnv: (event, configDirectory) => ({ MM_CONFIG_DIR: configDirectory, MM_HOOK_EVENT: event.event }),
  readCommand: (output, event) =>
    output.exitCode === 0 ? readDecision(output.stdout, event.event) : { failure: commandFailed(output) },
};
