import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../hooks/json.js";

/** What agents call the field that names an event. */
const EVENT_FIELDS = ["event", "hook_event_name"];
const MOST_CHARS = 40;

/** The name of an event in the spelling of any agent; undefined where it has none. */
export function eventNameOf(event: JsonObject): string | undefined {
  const names = EVENT_FIELDS.map((field) => event[field]);
  return names.find((name): name is string => typeof name === "string");
}

/**
 * The file that an event is recorded in, such as `preToolCall-bash-1f8b0c2d9a3e.json`: what it is about, and a digest
 * of what is written, so that the same event is recorded once. Nothing in an event can name another folder.
 */
export function recordedName(event: JsonObject, contents: string): string {
  const { tool, tool_name } = event;
  const toolName = isJsonObject(tool) ? tool.name : tool_name;
  const digest = createHash("sha256").update(contents).digest("hex").slice(0, 12);
  return `${[eventNameOf(event) ?? "event", toolName, digest].flatMap(plain).join("-")}.json`;
}

function plain(name: unknown): string[] {
  if (typeof name !== "string") return [];
  const kept = name.replace(/[^A-Za-z0-9_]+/g, "-").slice(0, MOST_CHARS);
  return kept === "" ? [] : [kept];
}
