export {
  Decision,
  allow,
  ask,
  context,
  deny,
  fail,
  notice,
  rewriteInput,
  rewritePrompt,
  stop,
} from "./decision";
export { Event, Tool } from "./event";
export { config, log } from "./host";
export { Json } from "./json/json";
export { Kind } from "./json/kind";
export { plainWords, shellCommands } from "./shell/shell";
