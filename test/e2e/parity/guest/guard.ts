// The guard of README.md as a wasm hook.
import { allow, Decision, Event, Json, Tool } from "wasmhook/guest";
import { read, write } from "./files";
import { beforeGeneration } from "./prompts";
import { afterFailure, afterGeneration, afterSuccess } from "./results";
import { shell } from "./shell";
import { fetchPage, searchWeb } from "./web";

export function handle(event: Event): Decision | null {
  const decision = judge(event);
  return decision !== null && event.agent == "mnemoai" ? oneThing(decision) : decision;
}

function judge(event: Event): Decision | null {
  if (event.moment == "preGeneration") return beforeGeneration(event);
  if (event.moment == "postGeneration") return afterGeneration(event);
  if (event.moment == "preToolCall") return beforeCall(event.tool, event.cwd);
  return event.tool.json.has("error") ? afterFailure(event.tool) : afterSuccess(event.tool);
}

function beforeCall(tool: Tool, cwd: string): Decision | null {
  const name = tool.name;
  if (["bash", "execute_bash", "shell", "run_command"].includes(name)) return shell(tool);
  if (["fs_write", "write_file", "edit_file", "multi_edit", "str_replace"].includes(name))
    return write(tool, cwd);
  if (name == "fs_read" || name == "read_file") return read(tool, cwd);
  if (["grep", "glob", "list_dir", "search"].includes(name)) return allow();
  if (name == "web_fetch") return fetchPage(tool);
  if (name == "web_search") return searchWeb(tool);
  if (name != "task" && name != "sub_agent") return null;
  return new Decision().context(`The same hooks guard what ${name} does.`);
}

/** What a command could say to the agent as well: the first of deny, allow, context and notice. */
function oneThing(decision: Decision): Decision {
  const said = decision.json;
  const action = said.get("action").string();
  const keeps =
    action == "deny" || action == "allow"
      ? ["action", "reason"]
      : said.has("context")
        ? ["context"]
        : ["notice"];
  const one = new Decision();
  one.failure = decision.failure;
  for (let i = 0; i < keeps.length; i++) one.json.set(keeps[i], said.get(keeps[i]));
  return one;
}
