import { Decision, Event, Json, config, deny, fail } from "wasmhook/guest";
import { Place } from "./place";

/** Members of a tool's arguments that name a file which it writes, over the agents that are known. */
const FIELDS = [
  "path", "paths", "file", "files", "file_path", "filePath", "filename", "fileName", "target_file", "target",
  "destination", "dest", "new_path", "newPath", "notebook_path", "notebookPath", "uri",
];

/** A reason is for reading, and a name can be of any length. */
const LONGEST_NAME = 200;

/** Denies calls whose arguments name a path under one of the configured ones. */
export function handle(event: Event): Decision | null {
  if (event.moment != "preToolCall") return null;
  const settings = config();
  const paths = settings.get("paths").strings();
  if (paths.length == 0) return fail('config has no "paths": list what is protected');
  const tools = settings.get("tools").strings();
  if (tools.length > 0 && !tools.includes(event.tool.name)) return null;
  const fields = settings.has("fields") ? settings.get("fields").strings() : FIELDS;

  const ignoresCase = settings.get("ignoreCase").boolean(true);

  const named: string[] = [];
  collect(event.tool.input, fields, false, named);
  for (let i = 0; i < named.length; i++) {
    const place = new Place(named[i], event.cwd, ignoresCase);
    for (let j = 0; j < paths.length; j++) {
      if (place.isIn(new Place(paths[j], event.cwd, ignoresCase))) return deny(reason(named[i], paths[j]));
    }
  }
  return null;
}

function reason(named: string, guarded: string): string {
  const name = named.length > LONGEST_NAME ? named.substring(0, LONGEST_NAME) + "..." : named;
  return `Writing to ${name} is not allowed: ${guarded} is protected. Ask the user if it has to change.`;
}

/** Every string in a member of one of those names, however deep it stands. */
function collect(value: Json, fields: string[], isNamed: bool, into: string[]): void {
  if (value.isString && isNamed) into.push(value.string());
  if (value.isArray) {
    for (let i = 0; i < value.length; i++) collect(value.at(i), fields, isNamed, into);
  }
  const keys = value.keys();
  for (let i = 0; i < keys.length; i++) {
    collect(value.get(keys[i]), fields, isNamed || fields.includes(keys[i]), into);
  }
}
